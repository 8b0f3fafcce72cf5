import { deviceDb } from '#src/offline/store/device-db.ts';

/** How far the device's clock is behind the server's, in milliseconds, as last heard. Positive: the device is slow. */
let skew = 0;
const key = 'clock-skew-ms';
/** Less than this is the line, not the clock. */
const worthKeepingMs = 1000;

/** Notes what the server's clock said between sending and receiving; kept on the device for the time without a network. */
export const noteServerTime = (serverTime: string, sentAt: number, receivedAt: number) => {
  const server = Date.parse(serverTime);
  if (!Number.isFinite(server)) return;
  const heard = Math.round(server - (sentAt + receivedAt) / 2);
  const next = Math.abs(heard) < worthKeepingMs ? 0 : heard;
  const changed = Math.abs(next - skew) >= worthKeepingMs;
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
