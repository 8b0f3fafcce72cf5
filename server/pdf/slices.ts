import { setImmediate as nextTurn } from 'node:timers/promises';

const sliceMs = 8;

/** Lets others have their turn: waited for after each piece of a long work, it does so whenever this has taken 8 ms. */
export const slices = () => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await nextTurn();
    began = performance.now();
  };
};
