import { deviceDb } from '#src/offline/store/device-db.ts';

/** How far the device's clock is behind the server's, in milliseconds, as last heard. Positive: the device is slow. */
let skew = 0;
const key = 'clock-skew-ms';
/** Less than this is the line, not the clock. */
const worthKeepingMs = 1000;

/**
 * Notes what the server's clock said between sending and receiving; kept on the device for the time without a network. The
 * answer says no more than between which two the truth lies: what is between them stays as it is, so that a slow line is not
 * taken for a wrong clock.
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

/** Takes up what was heard before the last start. */
export const restoreSkew = async (): Promise<void> => {
  const kept = await deviceDb()
    .meta.get(key)
    .catch(() => undefined);
  if (typeof kept?.value === 'number') skew = kept.value;
};

export const skewMs = (): number => skew;
/** Now, as the server would say it: what entries are stamped with. */
export const correctedNow = (): Date => new Date(Date.now() + skew);
