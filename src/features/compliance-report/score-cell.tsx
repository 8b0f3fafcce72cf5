import { scoreBand } from '#contract/rules/score-band.ts';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/features/compliance-report/compliance-report.module.css';

const words = { green: 'green', amber: 'amber', red: 'red' } as const;
/** A score with the colour of the organisation's band behind it. */
export const Score = ({ score, big = false }: { score: number | null; big?: boolean }) => {
  const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = useBrand();
  if (score === null)
    return (
      <span className={classes.nothing}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">nothing due</span>
      </span>
    );
  const band = scoreBand(score, { green, amber });
  return (
    <span className={big ? classes.big : classes.score} data-band={band}>
      {score} %<span className="visually-hidden"> ({words[band]})</span>
    </span>
  );
};

/** The legend of the colours. */
export const Bands = () => {
  const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = useBrand();
  return (
    <ul className={classes.legend} aria-label="Score bands">
      <li>
        <i className={classes.swatch} data-band="green" aria-hidden="true" /> Green: {green} to 100 %
      </li>
      <li>
        <i className={classes.swatch} data-band="amber" aria-hidden="true" /> Amber: {amber} to {green - 1} %
      </li>
      <li>
        <i className={classes.swatch} data-band="red" aria-hidden="true" /> Red: below {amber} %
      </li>
    </ul>
  );
};
