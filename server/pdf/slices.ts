import { setImmediate as nextTurn } from 'node:timers/promises';

const sliceMs = 8;

/** Yields to other requests: awaited after each piece of a long task, it does so once the piece has taken 8 ms. */
export const slices = () => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await nextTurn();
    began = performance.now();
  };
};
