/** How far the device's clock is behind the server's, in milliseconds, as last heard. Positive: the device is slow. */
let skew = 0;

export const noteServerTime = (serverTime: string, sentAt: number, receivedAt: number) => {
  const server = Date.parse(serverTime);
  if (Number.isFinite(server)) skew = Math.round(server - (sentAt + receivedAt) / 2);
};
export const skewMs = (): number => skew;
export const setSkewMs = (ms: number) => {
  skew = ms;
};
/** Now, as the server would say it: what entries are stamped with. */
export const correctedNow = (): Date => new Date(Date.now() + skew);
