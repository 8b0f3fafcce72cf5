/** Length of a slice in milliseconds; other requests are served between two. */
const sliceMs = 15;
const checkEvery = 50;

/** Like `map`, over any number of items, without blocking others. Items are taken in order, one after another. */
export const inSlices = async <T, R>(things: readonly T[], work: (thing: T) => R): Promise<R[]> => {
  const done: R[] = [];
  let until = performance.now() + sliceMs;
  for (const [i, thing] of things.entries()) {
    done.push(work(thing));
    if (i % checkEvery !== 0 || performance.now() < until) continue;
    await new Promise((next) => setImmediate(next));
    until = performance.now() + sliceMs;
  }
  return done;
};
