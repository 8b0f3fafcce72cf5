import { expect, it, vi } from 'vitest';
import { NoTurn, turnsOf } from '#server/db/turns.ts';

it('turns of one owner wait for one another, and those of others for none of them', async () => {
  const take = turnsOf(2, 60_000);
  const ends = [await take('a'), await take('a')];
  const begun: number[] = [];
  const later = [1, 2].map((n) => take('a').then((end) => begun.push(n) && end));
  await take('b');
  expect(begun).toEqual([]);
  ends[0]?.();
  // Ended twice, it counts once.
  ends[0]?.();
  await later[0];
  expect(begun).toEqual([1]);
  ends[1]?.();
  await Promise.all(later);
  expect(begun).toEqual([1, 2]);
});

it('who waits too long is told, and takes no turn from others', async () => {
  const take = turnsOf(1, 5);
  const end = await take('a');
  await expect(take('a')).rejects.toThrow(NoTurn);
  end();
  (await take('a'))();
});

it('people who share an owner alternate: who asks for much is not next again while a colleague waits', async () => {
  const take = turnsOf(1, 60_000);
  const begun: string[] = [];
  const asks = (who: string) =>
    take('a', who).then((end) => {
      begun.push(who);
      end();
    });
  const end = await take('a', 'much');
  const all = ['much', 'much', 'much', 'one', 'much', 'two'].map(asks);
  end();
  await Promise.all(all);
  expect(begun).toEqual(['one', 'much', 'two', 'much', 'much', 'much']);
});

it('a waiting one of the same owner begins after a rest as long as the one before, and those of others at once', async () => {
  vi.useFakeTimers();
  try {
    const take = turnsOf(1, 60_000, 1);
    const end = await take('a');
    let begun = false;
    const later = take('a').then((endLater) => {
      begun = true;
      return endLater;
    });
    await vi.advanceTimersByTimeAsync(60);
    end();
    (await take('b'))();
    await vi.advanceTimersByTimeAsync(59);
    expect(begun).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toBe(true);
    (await later)();
  } finally {
    vi.useRealTimers();
  }
});
