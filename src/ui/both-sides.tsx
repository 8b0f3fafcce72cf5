import classes from '#src/ui/both-sides.module.css';

/** What is here and what is there, beside each other. */
export const BothSides = ({ sides }: { sides: { mine: string; theirs: string } }) => (
  <div className={classes.sides}>
    <div>
      <strong>On this tablet</strong>
      <p>{sides.mine}</p>
    </div>
    <div>
      <strong>On the server</strong>
      <p>{sides.theirs}</p>
    </div>
  </div>
);
