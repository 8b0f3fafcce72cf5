import { describe, expect, it } from 'vitest';
import { correctedNow, noteServerTime, restoreSkew, skewMs } from '#src/offline/clock.ts';

describe('the device’s clock', () => {
  it('is corrected by what the server said, also after the next start', async () => {
    const sent = Date.now();
    noteServerTime(new Date(sent + 3 * 3_600_000).toISOString(), sent, sent);
    expect(skewMs()).toBe(3 * 3_600_000);
    expect(correctedNow().getTime() - Date.now()).toBeGreaterThan(3 * 3_600_000 - 1000);
    await restoreSkew();
    expect(skewMs()).toBe(3 * 3_600_000);
    noteServerTime(new Date(sent + 40).toISOString(), sent, sent + 200);
    expect(skewMs()).toBe(0);
    noteServerTime('nonsense', 0, 0);
    expect(skewMs()).toBe(0);
  });
});
