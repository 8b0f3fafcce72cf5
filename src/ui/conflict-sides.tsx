import classes from '#src/ui/conflict-sides.module.css';

/** The local and the server version side by side. */
export const ConflictSides = ({ sides }: { sides: { mine: string; theirs: string } }) => (
  <div className={classes.sides}>
    <div>
      <strong>On this device</strong>
      <p>{sides.mine}</p>
    </div>
    <div>
      <strong>On the server</strong>
      <p>{sides.theirs}</p>
    </div>
  </div>
);
