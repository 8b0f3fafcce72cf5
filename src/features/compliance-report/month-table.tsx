import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { ComplianceReport } from '#contract/entities/compliance-report.ts';
import classes from '#src/features/compliance-report/compliance-report.module.css';
import { monthWords } from '#contract/rules/days.ts';
import { percentOf } from '#src/features/compliance-report/report-view.ts';
import { Score } from '#src/features/compliance-report/score-cell.tsx';

export type MonthRow = { id: string; name: string; required: readonly number[]; in_date: readonly number[] };
const sourceMark: Record<ComplianceReport['months'][number]['source'], string> = { now: 'now', kept: '', computed: '*', unknown: '' };

type Props = {
  label: string;
  /** What the rows are. */
  head: string;
  months: ComplianceReport['months'];
  rows: readonly MonthRow[];
  /** Where the number of now leads: to those behind it. Those of months that are over are not kept. */
  to?: ((row: MonthRow) => string) | undefined;
  /** Before the name, as a choice. */
  before?: (row: MonthRow) => ReactNode;
};

/** Rows by month. The first row is all of them together. */
export const MonthTable = ({ label, head, months, rows, to, before }: Props) => {
  const frame = useRef<HTMLElement>(null);
  // Where there is not room for all, the latest are seen first.
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollLeft = frame.current.scrollWidth;
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is moved with the keyboard
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
            {months.map(({ month, score }) => (
              <td key={month}>
                <Score score={score} />
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
              {months.map(({ month, source }, i) => {
                const score = percentOf(row.in_date[i], row.required[i]);
                const content = <Score score={score} />;
                return (
                  <td key={month}>
                    {to && source === 'now' && score !== null ? (
                      <Link
                        className={classes.behind}
                        to={to(row)}
                        aria-label={`${row.name}, now: ${score} %, ${row.in_date[i]} of ${row.required[i]} in date. Who is behind it?`}
                      >
                        {content}
                      </Link>
                    ) : (
                      content
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
