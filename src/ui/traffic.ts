import type { Tone } from '#src/ui/badge.tsx';
import classes from '#src/ui/traffic.module.css';

/** The class of what shows a traffic light: with a tone, its colour is `--traffic`. */
export const traffic = classes.traffic;
/** The tone of each band of scores. */
export const scoreTones = { green: 'ok', amber: 'warning', red: 'danger' } as const satisfies Record<string, Tone>;
