import { describe, expect, it } from 'vitest';
import { correctedNow, noteServerTime, restoreSkew, skewMs } from '#src/offline/clock.ts';

describe('the device’s clock', () => {
  it('is corrected by the server’s time, also after the next start', async () => {
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

  it('is not considered wrong because the connection is slow', () => {
    const sent = Date.now();
    // Nine of ten seconds passed on the way there.
    noteServerTime(new Date(sent + 9000).toISOString(), sent, sent + 10_000);
    expect(skewMs()).toBe(0);
    const hour = 3_600_000;
    noteServerTime(new Date(sent + hour + 100).toISOString(), sent, sent + 200);
    expect(skewMs()).toBe(hour);
    noteServerTime(new Date(sent + hour + 9000).toISOString(), sent, sent + 10_000);
    expect(skewMs()).toBe(hour);
    // An hour and twenty seconds is more than the connection can explain.
    noteServerTime(new Date(sent + hour + 25_000).toISOString(), sent, sent + 10_000);
    expect(skewMs()).toBe(hour + 20_000);
    // More precise over a faster connection.
    noteServerTime(new Date(sent + hour + 23_100).toISOString(), sent, sent + 200);
    expect(skewMs()).toBe(hour + 23_000);
  });
});
