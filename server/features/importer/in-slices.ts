/** So long at a time, in milliseconds; then whoever else waits for an answer is served. */
const sliceMs = 15;
const checkEvery = 50;

/** As `map`, over as many things as there are, without holding anybody up. Things are taken in order, one after another. */
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
