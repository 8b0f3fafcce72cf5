const firstMs = 1000;
const longestMs = 20_000;

/** The wait after `tries` attempts: doubling from one second to twenty, half of it random. */
export const backoffMs = (tries: number, random: number): number => {
  const full = Math.min(firstMs * 2 ** Math.min(tries, 16), longestMs);
  return Math.round(full / 2 + (full / 2) * random);
};

/** Number of lanes sent in parallel: the number of HTTP/1.1 connections that a browser opens. */
export const lanesAtOnce = 6;

/** After this many server failures over this time, while other changes succeed, the person is told. */
export const giveUpAfter = { times: 10, ms: 3_600_000 };
