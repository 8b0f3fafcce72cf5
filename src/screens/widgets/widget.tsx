import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatMoment } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import type { Read } from '#src/screens/use-read.ts';
import classes from '#src/screens/widgets/widgets.module.css';
import type { Tone } from '#src/ui/badge.tsx';
import { IconDown, IconUp } from '#src/ui/icons.tsx';
import figures from '#src/ui/figures.module.css';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';
import { LoadingState } from '#src/ui/states.tsx';

/** The link of a widget to the full page. */
type All = { to: string; label: string };
type WidgetProps<T> = {
  title: string;
  all?: All | undefined;
  read: Read<T>;
  /** False until the server has computed it: it is requested again. */
  ready?: (thing: T) => boolean;
  children: (thing: T) => ReactNode;
};

/**
 * One answer on a dashboard, as a card, with its loading, offline and error states. While a new answer is loading, the old one is
 * dimmed.
 */
export const Widget = <T,>({ title, all, read: { state, retry, outdated }, ready = () => true, children }: WidgetProps<T>) => (
  <Section
    title={title}
    tools={
      all && (
        <Button variant="subtle" className={classes.all} component={Link} to={all.to}>
          {all.label}
        </Button>
      )
    }
  >
    <ReadPlaceholder state={state} retry={retry} loading={`Loading: ${title}`} offline={`“${title}” needs a connection.`} />
    {state.kind === 'loaded' &&
      (ready(state.data) ? (
        <div className={shapes.shown} aria-busy={outdated}>
          {children(state.data)}
        </div>
      ) : (
        <>
          <p className={layout.count} role="status">
            This is being counted for the first time. It appears here as soon as it is.
          </p>
          <LoadingState rows={1} label={`Counting: ${title}`} />
        </>
      ))}
  </Section>
);

/** Since when the data is valid. */
export const CountedAt = ({ at }: { at: string | null }) => (at ? <p className={layout.count}>Counted {formatMoment(at)}.</p> : null);

/** The earlier number, and which direction is better. */
export type Trend = { before: number; when: string; better: 'more' | 'less'; unit?: string };
type NumberProps = {
  to?: string | undefined;
  count: number | null;
  unit?: string;
  label: string | readonly [one: string, many: string];
  tone?: Tone;
  trend?: Trend | null;
};

const TrendLine = ({ now, trend: { before, when, better, unit = '' } }: { now: number; trend: Trend }) => {
  const difference = now - before;
  if (difference === 0) return <span className={classes.trend}>As {when}</span>;
  const Sign = difference > 0 ? IconUp : IconDown;
  return (
    <span className={classes.trend} data-tone={difference > 0 === (better === 'more') ? 'ok' : 'danger'}>
      <Sign size={16} />
      {Math.abs(difference).toLocaleString('en-GB')}
      {unit} {difference > 0 ? 'more' : 'fewer'} than {when}
    </span>
  );
};

/** A number with its label and trend; links to what it counts. */
export const NumberLink = ({ to, count, unit = '', label, tone, trend }: NumberProps) => {
  const content = (
    <>
      <strong>{count === null ? '–' : `${count.toLocaleString('en-GB')}${unit}`}</strong>
      <span>{typeof label === 'string' ? label : label[count === 1 ? 0 : 1]}</span>
      {trend && count !== null && <TrendLine now={count} trend={trend} />}
    </>
  );
  const look = { className: figures.figure, 'data-tone': count ? tone : undefined };
  return (
    <li>
      {to ? (
        <Link to={to} {...look}>
          {content}
        </Link>
      ) : (
        <div {...look}>{content}</div>
      )}
    </li>
  );
};

/** Numbers beside each other. */
export const Numbers = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={`${layout.plain} ${figures.figures}`} aria-label={label}>
    {children}
  </ul>
);

type Row = { id: string; name: ReactNode; about: ReactNode; actions?: ReactNode };
/** A list with the actions of each row; a sentence if it is empty. */
export const Rows = ({ label, rows, none }: { label: string; rows: readonly Row[]; none: string }) =>
  rows.length === 0 ? (
    <p className={layout.count}>{none}</p>
  ) : (
    <ul className={layout.lines} aria-label={label}>
      {rows.map(({ id, name, about, actions }) => (
        <li key={id}>
          <div>
            {name}
            <span className={layout.soft}>{about}</span>
          </div>
          {actions && <div className={`${layout.tools} ${classes.actions}`}>{actions}</div>}
        </li>
      ))}
    </ul>
  );

type Bar = { id: string; to?: string; label: string; value: number; words: string; tone?: Tone | undefined };
/** Bars with their numbers; the longest has the full width, unless `of` gives the scale. */
export const Bars = ({ label, bars, of }: { label: string; bars: readonly Bar[]; of?: number }) => {
  const most = of ?? Math.max(1, ...bars.map((b) => b.value));
  return (
    <ul className={layout.list} aria-label={label}>
      {bars.map(({ id, to, label: name, value, words, tone }) => {
        const content = (
          <>
            <span>{name}</span>
            <span>{words}</span>
            <i aria-hidden="true">
              <i style={{ width: `${(100 * value) / most}%` }} />
            </i>
          </>
        );
        return (
          <li key={id}>
            {to ? (
              <Link className={classes.bar} data-tone={tone} to={to}>
                {content}
              </Link>
            ) : (
              <div className={classes.bar} data-tone={tone}>
                {content}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
};
