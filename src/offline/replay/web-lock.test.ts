import { describe, expect, it } from 'vitest';
import { webLock } from '#src/offline/replay/web-lock.ts';

/** Two tabs of one person, with the real lock manager and a numeric clock. */
describe('the lock of a person’s replay', () => {
  const tabs = () => {
    let now = 1_000_000;
    let beatAt = 0;
    const lease = {
      read: async () => beatAt,
      write: async (at: number) => {
        beatAt = at;
      },
    };
    const name = `test-${crypto.randomUUID()}`;
    const tab = () => webLock(name, lease, () => now);
    return { first: tab(), second: tab(), later: (ms: number) => (now += ms) };
  };
  const frozen = () => new Promise<void>(() => undefined);

  it('lets one tab work at a time; the other gives up at once', async () => {
    const { first, second } = tabs();
    let go: () => void = () => undefined;
    const holding = first.tryHold(() => new Promise((resolve) => (go = resolve)));
    await Promise.resolve();
    let ran = false;
    expect(
      await second.tryHold(async () => {
        ran = true;
      }),
    ).toBe(false);
    expect(ran).toBe(false);
    go();
    expect(await holding).toBe(true);
    expect(
      await second.tryHold(async () => {
        ran = true;
      }),
    ).toBe(true);
    expect(ran).toBe(true);
  });

  it('is taken over from a tab silent for a minute, but not from an active one', async () => {
    const { first, second, later } = tabs();
    let beat: () => Promise<void> = async () => undefined;
    void first
      .tryHold((b) => {
        beat = b;
        return frozen();
      })
      .catch(() => undefined);
    await Promise.resolve().then(() => Promise.resolve());
    later(50_000);
    await beat();
    later(50_000);
    expect(await second.tryHold(async () => undefined)).toBe(false);
    later(20_000);
    let ran = false;
    expect(
      await second.tryHold(async () => {
        ran = true;
      }),
    ).toBe(true);
    expect(ran).toBe(true);
  });
});
