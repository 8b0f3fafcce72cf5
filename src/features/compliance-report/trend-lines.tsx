import layout from '#src/ui/page.module.css';
import { useEffect, useRef, useState } from 'react';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/features/compliance-report/compliance-report.module.css';
import { monthWords } from '#contract/rules/days.ts';

/** A line: its score for each month, or null. */
export type TrendLine = { id: string; name: string; scores: readonly (number | null)[] };
/** The most lines that can be told apart. */
export const mostLines = 6;

const height = 260;
const edge = { left: 56, right: 14, top: 12, bottom: 30 };
/** How lines differ apart from their colours: dashes and point markers. */
const dashes = ['', '7 4', '2 4', '12 4', '8 3 2 3', '4 4'];
const mark = (line: number, x: number, y: number): string => {
  const r = 4;
  if (line % 3 === 0) return `M${x - r} ${y}a${r} ${r} 0 1 0 ${r * 2} 0a${r} ${r} 0 1 0 ${-r * 2} 0z`;
  if (line % 3 === 1) return `M${x - r} ${y - r}h${r * 2}v${r * 2}h${-r * 2}z`;
  return `M${x} ${y - r - 1}l${r + 1} ${r * 2}h${-(r + 1) * 2}z`;
};

/** A line chart of scores by month. The table below it has the same numbers. */
export const TrendLines = ({ months, lines }: { months: readonly string[]; lines: readonly TrendLine[] }) => {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = useBrand();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const all = lines.flatMap((l) => l.scores.flatMap((s) => s ?? []));
  const low = Math.max(0, Math.floor((Math.min(amber, ...all) - 5) / 10) * 10);
  const x = (i: number) => edge.left + (months.length < 2 ? 0.5 : i / (months.length - 1)) * (width - edge.left - edge.right);
  const y = (score: number) => edge.top + (1 - (score - low) / (100 - low)) * (height - edge.top - edge.bottom);
  const ticks = Array.from({ length: (100 - low) / 10 + 1 }, (_, i) => low + i * 10).filter((_, i, list) => list.length < 7 || i % 2 === 0);
  const every = Math.ceil((months.length * 58) / (width - edge.left - edge.right));
  const path = (scores: TrendLine['scores']) => {
    let pen = 'M';
    return scores
      .map((score, i) => {
        if (score === null) {
          pen = 'M';
          return '';
        }
        const command = `${pen}${x(i).toFixed(1)} ${y(score).toFixed(1)}`;
        pen = 'L';
        return command;
      })
      .join('');
  };
  const spoken = lines
    .map(
      ({ name, scores }) =>
        `${name}: from ${scores.find((s) => s !== null) ?? 'nothing'} to ${scores.findLast((s) => s !== null) ?? 'nothing'} per cent`,
    )
    .join('; ');
  return (
    <figure className={`${layout.stack} ${classes.figure}`}>
      <div ref={frame}>
        <svg width={width} height={height} role="img" aria-label={`In date by month. ${spoken}. The table below has every number.`}>
          {ticks.map((tick) => (
            <g key={tick} className={classes.grid}>
              <line x1={edge.left} x2={width - edge.right} y1={y(tick)} y2={y(tick)} />
              <text x={edge.left - 8} y={y(tick) + 5} textAnchor="end">
                {tick} %
              </text>
            </g>
          ))}
          {[
            { at: green, tone: 'ok' },
            { at: amber, tone: 'warning' },
          ].map(({ at, tone }) => (
            <line key={tone} className={classes.margin} data-tone={tone} x1={edge.left} x2={width - edge.right} y1={y(at)} y2={y(at)} />
          ))}
          {months.map(
            (month, i) =>
              (months.length - 1 - i) % every === 0 && (
                <text
                  key={month}
                  className={classes.month}
                  x={x(i)}
                  y={height - 8}
                  textAnchor={i === 0 ? 'start' : i === months.length - 1 ? 'end' : 'middle'}
                >
                  {monthWords(month, 'short')}
                </text>
              ),
          )}
          {lines.map((line, n) => (
            <g key={line.id} className={classes.line} data-line={n}>
              <path d={path(line.scores)} strokeDasharray={dashes[n]} />
              {line.scores.map(
                (score, i) =>
                  score !== null && (
                    <path key={months[i]} className={classes.point} d={mark(n, x(i), y(score))}>
                      <title>{`${line.name}, ${monthWords(months[i] as string)}: ${score} %`}</title>
                    </path>
                  ),
              )}
            </g>
          ))}
        </svg>
      </div>
      <figcaption>
        <ul className={`${layout.plain} ${layout.tools} ${classes.keys}`}>
          {lines.map((line, n) => (
            <li key={line.id} data-line={n} className={classes.line}>
              <svg width="38" height="16" aria-hidden="true" focusable="false">
                <path d="M2 8H36" strokeDasharray={dashes[n]} />
                <path className={classes.point} d={mark(n, 19, 8)} />
              </svg>
              {line.name}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
};
