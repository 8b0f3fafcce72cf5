import classes from '#src/ui/conflict-sides.module.css';

type Sides = { mine: string; theirs: string };

/** Two versions side by side, to choose one: a line of text for each thing in them. */
export const ConflictSides = ({ sides, names = { mine: 'On this device', theirs: 'On the server' } }: { sides: Sides; names?: Sides }) => (
  <div className={classes.sides}>
    <div>
      <strong>{names.mine}</strong>
      <p>{sides.mine}</p>
    </div>
    <div>
      <strong>{names.theirs}</strong>
      <p>{sides.theirs}</p>
    </div>
  </div>
);
