import layout from '#src/ui/page.module.css';
import { scoreBand } from '#contract/rules/score-band.ts';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/features/compliance-report/compliance-report.module.css';
import { scoreTones, traffic } from '#src/ui/traffic.ts';

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
    <span className={`${traffic} ${big ? classes.big : classes.score}`} data-tone={scoreTones[band]}>
      {score} %<span className="visually-hidden"> ({band})</span>
    </span>
  );
};

/** The legend of the colours. */
export const Bands = () => {
  const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = useBrand();
  return (
    <ul className={`${layout.plain} ${layout.tools} ${classes.legend}`} aria-label="Score bands">
      <li>
        <i className={`${traffic} ${classes.swatch}`} data-tone="ok" aria-hidden="true" /> Green: {green} to 100 %
      </li>
      <li>
        <i className={`${traffic} ${classes.swatch}`} data-tone="warning" aria-hidden="true" /> Amber: {amber} to {green - 1} %
      </li>
      <li>
        <i className={`${traffic} ${classes.swatch}`} data-tone="danger" aria-hidden="true" /> Red: below {amber} %
      </li>
    </ul>
  );
};
