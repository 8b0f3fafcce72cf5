import type { Lock } from '#src/offline/ports.ts';

/** A held lock is believed for this long; a frozen tab never gives its lock back, so an older one is taken over. */
const leaseMs = 60_000;

/** One tab at a time sends for a person. It saves work only: two at once would still be right, by the ids. */
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
