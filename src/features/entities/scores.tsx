import { Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { EntityScore, scoreKinds } from '#contract/entities/entity.ts';
import { protocol } from '#contract/protocol.ts';
import { scoreBand } from '#contract/rules/score-band.ts';
import { useBrand } from '#src/access/brand.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import classes from '#src/features/entities/entities.module.css';
import { formatMoment } from '#src/lib/format.ts';
import layout from '#src/ui/page.module.css';

type Kind = (typeof scoreKinds)[number];
type State = EntityScore | 'counting' | { failed: string };

/** Asks until it is counted: every 5 s while the server answers that it counts. */
const useScore = (slug: string, kind: Kind): State => {
  const [state, setState] = useState<State>('counting');
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const result = await call('GET /entities/{id}/score/{x}', { params: { id: slug, x: kind } }, { quiet: true, signal: stop.signal });
      if (stop.signal.aborted) return;
      if (result.kind !== 'ok') setState({ failed: sentenceOf(result) });
      else if (result.status === 202) timer = setTimeout(() => void ask(), protocol.pollIntervalMs);
      else setState(result.data);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [slug, kind]);
  return state;
};

const Score = ({ slug, kind, name }: { slug: string; kind: Kind; name: string }) => {
  const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = useBrand();
  const state = useScore(slug, kind);
  const band = typeof state === 'object' && 'ready' in state && state.score !== null ? scoreBand(state.score, { green, amber }) : null;
  return (
    <div className={classes.score}>
      <i className={classes.light} data-light={band ?? 'none'} aria-hidden="true" />
      <div>
        <strong>{name}</strong>
        {state === 'counting' ? (
          <span role="status">Calculating …</span>
        ) : 'failed' in state ? (
          <span>{state.failed}</span>
        ) : state.score === null ? (
          <span>No required training</span>
        ) : (
          <>
            <span className={classes.percent}>
              {state.score} % <span className="visually-hidden">({band})</span>
            </span>
            <small>
              {state.in_date} of {state.required} in date{state.counted_at ? `, counted ${formatMoment(state.counted_at)}` : ''}
            </small>
          </>
        )}
      </div>
    </div>
  );
};

/** How much of what has to be done is in date, in the organisation's own bands and words. */
export const Scores = ({ slug }: { slug: string }) => {
  const brand = useBrand();
  return (
    <section className={`app-card ${layout.block}`} aria-label="Scores">
      <Title order={2} size="h3">
        In date
      </Title>
      <div className={classes.scores}>
        <Score slug={slug} kind="primary" name={brand.primaryComplianceAltName} />
        <Score slug={slug} kind="secondary" name={brand.secondaryComplianceAltName} />
      </div>
      <p className={layout.count}>
        Green from {brand.greenScoreBandLowerMargin} %, amber from {brand.amberScoreBandLowerMargin} %. New starters are counted after their starter
        period.
      </p>
    </section>
  );
};
