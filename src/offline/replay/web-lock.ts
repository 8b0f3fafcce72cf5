import type { Lock } from '#src/offline/ports.ts';

/** A frozen tab never releases its lock, so a lock without a sign of life for this long is taken over. */
const leaseMs = 60_000;

/** One tab at a time sends for a person. An optimisation only: ids make two senders at once safe. */
export const webLock = (name: string, lease: { read(): Promise<number>; write(at: number): Promise<void> }, now: () => number): Lock => ({
  tryHold: async (work) => {
    const beat = () => lease.write(now());
    if (!('locks' in navigator)) {
      await work(beat);
      return true;
    }
    const held = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (!lock) return false;
      await beat();
      await work(beat);
      return true;
    });
    if (held) return true;
    if (now() - (await lease.read()) < leaseMs) return false;
    await navigator.locks.request(name, { steal: true }, async () => {
      await beat();
      await work(beat);
    });
    return true;
  },
});
