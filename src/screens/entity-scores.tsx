import type { scoreKinds } from '#contract/entities/entity.ts';
import { scoreBand } from '#contract/rules/score-band.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import { formatMoment } from '#src/lib/format.ts';
import classes from '#src/screens/entity-scores.module.css';
import { useReadOf } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { scoreTones, traffic } from '#src/ui/traffic.ts';

type Kind = (typeof scoreKinds)[number];
const Score = ({ slug, kind, name }: { slug: string; kind: Kind; name: string }) => {
  const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = useBrand();
  // Computed on the server: until then it answers 202, and is requested again.
  const { state } = useReadOf(['score', slug, kind], (signal) =>
    call('GET /entities/{id}/score/{x}', { params: { id: slug, x: kind } }, { quiet: true, signal }),
  );
  const score = state.kind === 'loaded' ? state.data : null;
  const band = typeof score?.score === 'number' ? scoreBand(score.score, { green, amber }) : null;
  return (
    <div className={classes.score}>
      <i className={`${traffic} ${classes.light}`} data-tone={band ? scoreTones[band] : undefined} aria-hidden="true" />
      <div>
        <strong>{name}</strong>
        {!score ? (
          <span role="status">
            {state.kind === 'error' ? state.message : state.kind === 'offline' ? 'The score needs a connection.' : 'Calculating …'}
          </span>
        ) : score.score === null ? (
          <span>No required training</span>
        ) : (
          <>
            <span className={classes.percent}>
              {score.score} % <span className="visually-hidden">({band})</span>
            </span>
            <small>
              {score.in_date} of {score.required} in date{score.counted_at ? `, counted ${formatMoment(score.counted_at)}` : ''}
            </small>
          </>
        )}
      </div>
    </div>
  );
};

/** The compliance scores of mandatory and of all required training, of an organisation (by id or slug) with those below it. */
export const EntityScores = ({ entity }: { entity: string }) => {
  const brand = useBrand();
  return (
    <div className={shapes.tiles}>
      <Score slug={entity} kind="primary" name={brand.primaryComplianceAltName} />
      <Score slug={entity} kind="secondary" name={brand.secondaryComplianceAltName} />
    </div>
  );
};

/** The legend of the score colours, with the organisation's own bands. */
export const ScoreBandWords = () => {
  const brand = useBrand();
  return (
    <p className={layout.count}>
      Green from {brand.greenScoreBandLowerMargin} %, amber from {brand.amberScoreBandLowerMargin} %. New starters are counted after their starter
      period.
    </p>
  );
};
