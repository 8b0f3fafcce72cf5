import { deviceDb } from '#src/offline/store/device-db.ts';

/** How far the device's clock is behind the server's, in milliseconds. Positive: the device is slow. */
let skew = 0;
const key = 'clock-skew-ms';
/** Smaller differences are attributed to the connection. */
const worthKeepingMs = 1000;

/**
 * Updates the clock difference from a server time between sending and receiving; stored for offline use. An answer only gives
 * bounds: a value within them is kept, so that a slow connection is not mistaken for a wrong clock.
 */
export const noteServerTime = (serverTime: string, sentAt: number, receivedAt: number) => {
  const server = Date.parse(serverTime);
  if (!Number.isFinite(server)) return;
  const mayBe = (ms: number) => server - receivedAt - worthKeepingMs <= ms && ms <= server - sentAt + worthKeepingMs;
  const next = [skew, 0].find(mayBe) ?? Math.round(server - (sentAt + receivedAt) / 2);
  const changed = next !== skew;
  skew = next;
  if (changed)
    void deviceDb()
      .meta.put({ key, value: skew })
      .catch(() => undefined);
};

/** Restores the value from before the last start. */
export const restoreSkew = async (): Promise<void> => {
  const kept = await deviceDb()
    .meta.get(key)
    .catch(() => undefined);
  if (typeof kept?.value === 'number') skew = kept.value;
};

export const skewMs = (): number => skew;
/** The current time corrected to the server's clock; entries are stamped with it. */
export const correctedNow = (): Date => new Date(Date.now() + skew);
