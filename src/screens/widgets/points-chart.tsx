import { useId } from 'react';
import { Link } from 'react-router-dom';
import classes from '#src/screens/widgets/points-chart.module.css';

type Point = {
  id: string;
  name: string;
  value: number;
  words?: string;
  more?: readonly (number | string)[];
  /** The link of its name in the table. */
  to?: string | undefined;
};
type Props = {
  label: string;
  /** The headings of the table: name, value, and further columns. */
  heads: readonly string[];
  points: readonly Point[];
  /** The end of the scale; default: the highest value. */
  most?: number;
};
const [width, height] = [600, 160];

/** A bar chart of values over time, with the same numbers as a table. */
export const PointsChart = ({ label, heads, points, most }: Props) => {
  const id = useId();
  const top = most ?? Math.max(1, ...points.map((p) => p.value));
  const step = width / Math.max(1, points.length);
  const [first, last] = [points[0], points.at(-1)];
  return (
    <figure className={classes.chart} aria-labelledby={id}>
      <figcaption id={id}>
        {label}, 0 to {top.toLocaleString('en-GB')}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {points.map(({ id: key, name, value }, i) => (
          <rect key={key} x={i * step + step * 0.12} width={step * 0.76} y={height - (height * value) / top} height={(height * value) / top} rx={2}>
            <title>{`${name}: ${value}`}</title>
          </rect>
        ))}
      </svg>
      <div className={classes.ends} aria-hidden="true">
        <span>{first?.name}</span>
        <span>{last !== first ? last?.name : ''}</span>
      </div>
      <details>
        <summary>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <section className={classes.table} aria-label={`${label} as a table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map(({ id: key, name, value, words, more = [], to }) => (
                <tr key={key}>
                  <th scope="row">{to ? <Link to={to}>{name}</Link> : name}</th>
                  <td>{words ?? value.toLocaleString('en-GB')}</td>
                  {more.map((cell, i) => (
                    <td key={heads[i + 2]}>{cell.toLocaleString('en-GB')}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
};
