import { Fragment, useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { cellAt } from '#contract/matrix/sheet.ts';
import { lookOf } from '#src/features/matrix/grid/marks.ts';
import { CellSign, MatrixLegend } from '#src/features/matrix/grid/marks-view.tsx';
import type { MatrixProps } from '#src/features/matrix/grid/matrix-grid.tsx';
import { percentage } from '#src/features/matrix/grid/matrix-view.ts';
import classes from '#src/features/matrix/grid/print.module.css';
import { percentWords, shortDay } from '#contract/matrix/words.ts';
import { countOf } from '#src/lib/format.ts';

/** The columns that fit beside the names, and the CSS page size. */
const papers = { A4: { columns: 14, page: 'A4 landscape' }, A3: { columns: 22, page: 'A3 landscape' } } as const;
/** The maximum number of printed lines: a browser needs minutes to lay out more. A report file has all of them. */
export const mostPrinted = 1000;

/** True while the page is being printed. */
const usePrinting = (): boolean => {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const query = matchMedia('print');
    // The browser captures the page right after the event.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    const follow = () => (query.matches ? begin() : end());
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    query.addEventListener('change', follow);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      query.removeEventListener('change', follow);
    };
  }, []);
  return printing;
};

type Props = Pick<MatrixProps, 'label' | 'data' | 'arrangement' | 'view' | 'lights' | 'kinds'> & {
  paper?: keyof typeof papers;
  /** Printed at the top of the first page. */
  note: string;
};

/** The shown part of the matrix as tables that exist only in print. Each has as many columns as fit, with titles and names repeated. */
export const PrintMatrix = (props: Props) => (usePrinting() ? createPortal(<Sheets {...props} />, document.body) : null);

const Sheets = ({ label, data, arrangement: a, view, lights, kinds, paper = 'A4', note }: Props) => {
  const { sheet, loaded, people, courses } = data;
  const { columns: columnsPerPart, page } = papers[paper];
  const columns = [...a.columns];
  const parts = Array.from({ length: Math.max(1, Math.ceil(columns.length / columnsPerPart)) }, (_, i) =>
    columns.slice(i * columnsPerPart, (i + 1) * columnsPerPart),
  );
  const lines = [...a.lines.subarray(0, mostPrinted)];
  const share = (inDate = 0, required = 0) => percentWords(percentage(inDate, required));
  return (
    <div className={classes.sheets} data-print-matrix>
      <style>{`@page { size: ${page}; margin: 10mm; } @media print { body > :not([data-print-matrix]) { display: none !important; } }`}</style>
      <h1 className={classes.title}>{label}</h1>
      <p className={classes.note}>
        {note} · {countOf(a.rows.length, 'person', 'people')}, {countOf(columns.length, 'course')}, {share(a.inDate, a.required)} in date
        {a.lines.length > mostPrinted &&
          ` · The first ${mostPrinted.toLocaleString('en-GB')} of ${a.lines.length.toLocaleString('en-GB')} lines. Export all of them as PDF or XLSX.`}
      </p>
      <MatrixLegend lights={lights} secondary={kinds.secondary} />
      {parts.map((part, i) => (
        <table key={part[0] ?? i} className={classes.table} aria-label={parts.length > 1 ? `${label}, part ${i + 1} of ${parts.length}` : label}>
          <thead>
            <tr>
              <th scope="col" className={classes.name}>
                {parts.length > 1 ? `Part ${i + 1} of ${parts.length}` : 'Name'}
              </th>
              <th scope="col">In date</th>
              {part.map((column) => (
                <th key={column} scope="col">
                  <span className={classes.upright}>{courses[column]?.title}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className={classes.group}>
              <th scope="row" className={classes.name}>
                All
              </th>
              <td>{share(a.inDate, a.required)}</td>
              {part.map((column) => (
                <td key={column}>{share(a.columnInDate[column], a.columnRequired[column])}</td>
              ))}
            </tr>
            {lines.map((line, at) => {
              const group = line < 0 ? a.groups[~line] : undefined;
              const person = people[line];
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a person can be in several groups, and the list never changes while printing
                <Fragment key={at}>
                  {group ? (
                    <tr className={classes.group}>
                      <th scope="row" className={classes.name}>
                        {group.name}, {group.people.toLocaleString('en-GB')}
                      </th>
                      <td>{share(group.inDate, group.required)}</td>
                      {part.map((column) => {
                        const cell = ~line * sheet.columns + column;
                        return <td key={column}>{share(a.groupInDate[cell], a.groupRequired[cell])}</td>;
                      })}
                    </tr>
                  ) : (
                    <tr>
                      <th scope="row" className={classes.name}>
                        {person?.name} <small>{[person?.role, person?.place].filter(Boolean).join(' · ')}</small>
                      </th>
                      <td>{share(a.rowInDate[line], a.rowRequired[line])}</td>
                      {part.map((column) => {
                        if (loaded[line] !== 1) return <td key={column}>…</td>;
                        const look = lookOf(sheet.states[line * sheet.columns + column] as number, view.kind, view.statuses);
                        const { done, expires } = cellAt(sheet, line, column);
                        return (
                          <td key={column}>
                            {look.mark !== 'none' && <CellSign look={look} lights={lights} />}
                            {look.mark !== 'none' && done && expires > 0 && <small>{shortDay(expires)}</small>}
                          </td>
                        );
                      })}
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      ))}
    </div>
  );
};
