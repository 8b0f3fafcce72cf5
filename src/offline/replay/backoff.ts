const firstMs = 1000;
const longestMs = 20_000;

/** How long to wait before try number `tries` + 1: doubling from one second to twenty, with full jitter of a half. */
export const backoffMs = (tries: number, random: number): number => {
  const full = Math.min(firstMs * 2 ** Math.min(tries, 16), longestMs);
  return Math.round(full / 2 + (full / 2) * random);
};

/** How many lanes are sent side by side: as many as a browser opens connections over HTTP/1.1. */
export const lanesAtOnce = 6;

/** What the server fails at so often, for so long, while others pass, will not be taken as it is: the person is told. */
export const hopelessAfter = { times: 10, ms: 3_600_000 };
