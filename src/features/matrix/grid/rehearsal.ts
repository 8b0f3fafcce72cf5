import { emptySheet, stateByte } from '#contract/matrix/sheet.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';
import type { MatrixData } from '#src/features/matrix/grid/matrix-view.ts';

/** Enough cells for every mark in every colour, and for the browser to compile the drawing code. */
const columns = 24;
const texts = ['Abcdefghi Jklmnopq', 'Rstuvwxyz Abcd', 'Efghijkl Mnopqrst', 'Uvwxyz Ghijklmn', 'Opqrs 0123456789', 'Quincy O’Brien-Fox'];

/** A made-up matrix with every letter and mark, to warm up drawing before the first rows arrive. */
export const sample = (): MatrixData => {
  const people = [...texts, ...texts, ...texts].map((name, i) => ({
    ...{ id: `sample${i}`, name, tags: [] },
    ...{ role: `${texts[(i + 1) % texts.length]}, ${texts[(i + 2) % texts.length]}`, place: texts[(i + 3) % texts.length] as string },
  }));
  const sheet = emptySheet(people.length, columns);
  for (let at = 0; at < sheet.states.length; at++) {
    const status = complianceStatuses[at % complianceStatuses.length] ?? 'in_date';
    const type = (['primary', 'secondary', 'none'] as const)[at % 5] ?? 'primary';
    sheet.states[at] = stateByte({ status, type, exempt: at % 11 === 0, other: false, done: false });
  }
  const courses = Array.from({ length: columns }, (_, i) => ({ id: `sample${i}`, title: `${texts[i % texts.length]}`, short_title: null }));
  return { sheet, loaded: new Uint8Array(people.length).fill(1), people, courses };
};

/** Browsers compile code after a few runs. */
const warmUpRuns = 4;
const idleWithinMs = 500;

/** Runs `work` a few times while the browser is idle. Returns a function that stops it. */
export const whileIdle = (work: () => void): (() => void) => {
  let remaining = warmUpRuns;
  let handle = 0;
  // Not every browser has requestIdleCallback.
  const [schedule, cancel] =
    'requestIdleCallback' in window
      ? [(then: () => void) => requestIdleCallback(then, { timeout: idleWithinMs }), cancelIdleCallback]
      : [(then: () => void) => window.setTimeout(then, 1), clearTimeout];
  const next = () => {
    work();
    if (--remaining > 0) handle = schedule(next);
  };
  handle = schedule(next);
  return () => cancel(handle);
};
