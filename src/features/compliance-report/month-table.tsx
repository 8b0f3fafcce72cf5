import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { ComplianceReport } from '#contract/entities/compliance-report.ts';
import classes from '#src/features/compliance-report/compliance-report.module.css';
import { monthWords } from '#contract/rules/days.ts';
import { scoreOf } from '#src/features/compliance-report/report-view.ts';
import { Score } from '#src/features/compliance-report/score-cell.tsx';

export type MonthRow = { id: string; name: string; required: readonly number[]; in_date: readonly number[] };
const sourceMark: Record<ComplianceReport['months'][number]['source'], string> = { now: 'now', kept: '', computed: '*', unknown: '' };

type BehindProps = { name: string; of: ComplianceReport['months'][number]; inDate: number; required: number; to: string | null };
/** A number of a month, linked to the people behind it. */
const Behind = ({ name, of: { month, source }, inDate, required, to }: BehindProps) => {
  const score = scoreOf(inDate, required);
  if (to === null || score === null) return <Score score={score} />;
  const when = source === 'now' ? 'now' : `end of ${monthWords(month)}`;
  return (
    <Link className={classes.behind} to={to} aria-label={`${name}, ${when}: ${score} %, ${inDate} of ${required} in date. Who is behind it?`}>
      <Score score={score} />
    </Link>
  );
};

type Props = {
  label: string;
  /** The kind of rows. */
  head: string;
  months: ComplianceReport['months'];
  rows: readonly MonthRow[];
  /** The link of a month's number, of one row or of all (null). */
  to?: ((row: MonthRow | null, month: ComplianceReport['months'][number]) => string) | undefined;
  /** Before the name, as a checkbox. */
  before?: (row: MonthRow) => ReactNode;
};

/** Rows by month. The first row is the total. */
export const MonthTable = ({ label, head, months, rows, to, before }: Props) => {
  const frame = useRef<HTMLElement>(null);
  // If not all months fit, start at the latest.
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollLeft = frame.current.scrollWidth;
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
    <section ref={frame} className={classes.scroll} tabIndex={0} aria-label={`${label}, can be moved sideways`}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {months.map(({ month, source }) => (
              <th key={month} scope="col" data-now={source === 'now' || undefined}>
                {monthWords(month, 'short')}
                {source === 'now' ? <small>now</small> : sourceMark[source]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className={classes.all}>
            <th scope="row">All</th>
            {months.map((figures) => (
              <td key={figures.month}>
                <Behind
                  name="All"
                  of={figures}
                  inDate={figures.in_date + figures.expiring}
                  required={figures.asked - figures.starter}
                  to={to?.(null, figures) ?? null}
                />
              </td>
            ))}
          </tr>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <span className={classes.rowName}>
                  {before?.(row)}
                  {row.name}
                </span>
              </th>
              {months.map((figures, i) => (
                <td key={figures.month}>
                  <Behind name={row.name} of={figures} inDate={row.in_date[i] ?? 0} required={row.required[i] ?? 0} to={to?.(row, figures) ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
