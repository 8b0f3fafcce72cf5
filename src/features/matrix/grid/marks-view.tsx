import { type CSSProperties, useMemo } from 'react';
import { type Look, type Mark, marks } from '#src/features/matrix/grid/marks.ts';
import classes from '#src/features/matrix/grid/marks.module.css';
import type { Lights } from '#src/features/matrix/grid/palette.ts';
import { readableInk } from '#contract/rules/colour.ts';

const MarkSign = ({ mark }: { mark: Mark }) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.9"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={marks[mark]} fill={mark === 'dot' ? 'currentColor' : 'none'} />
  </svg>
);

/** A cell of the matrix as a small square, as the grid draws it. Decorative: the text beside it says the same. */
export const CellSign = ({ look: { mark, light, fill }, lights }: { look: Look; lights: Lights }) => {
  const colour = light === null || fill === 'none' ? undefined : lights[light];
  const style = colour === undefined ? undefined : ({ '--light': colour, '--ink': readableInk(colour) } as CSSProperties);
  return (
    <span className={classes.sign} data-fill={colour === undefined ? 'none' : fill} data-light={light ?? undefined} style={style}>
      <MarkSign mark={mark} />
    </span>
  );
};

const look = (mark: Mark, light: Look['light'], fill: Look['fill'] = light === null ? 'none' : 'full'): Look => ({
  mark,
  light,
  fill,
  secondary: false,
});
export const MatrixLegend = ({ lights, secondary }: { lights: Lights; secondary: string }) => {
  const entries = useMemo(
    () =>
      [
        [look('tick', 'ok'), 'In date'],
        [look('exempt', 'ok'), 'Exempt'],
        [look('tick', 'ok', 'outline'), 'Done, not required'],
        [look('clock', 'warning'), 'Expires soon'],
        [look('dot', 'warning'), 'New starter, not counted'],
        [look('cross', 'danger'), 'Expired'],
        [look('missing', 'danger'), 'Missing'],
        [look('dash', null), 'No longer required'],
      ] as const,
    [],
  );
  return (
    <ul className={classes.legend} aria-label="What the marks mean">
      {entries.map(([shown, words]) => (
        <li key={words}>
          <CellSign look={shown} lights={lights} />
          {words}
        </li>
      ))}
      <li>
        <span className={classes.corner} aria-hidden="true" />
        {secondary}
      </li>
    </ul>
  );
};
