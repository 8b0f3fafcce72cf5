import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askStore, storeAnswersMs, storeIsSilent } from '#src/device/store-silent.ts';

describe('a store that does not answer', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    storeIsSilent.set(false);
  });
  /** A store that answers when it is told to. */
  const slow = () => {
    const { promise, resolve } = Promise.withResolvers<'ok'>();
    return { open: () => promise, answer: () => resolve('ok') };
  };
  const check = (open: () => Promise<'ok'>) => {
    const told: ('ok' | 'silent')[] = [];
    return { told, done: askStore(open, (state) => void told.push(state)) };
  };

  it('is called silent, and no longer once it has answered', async () => {
    const store = slow();
    const { told, done } = check(store.open);
    vi.advanceTimersByTime(storeAnswersMs);
    expect([storeIsSilent.get(), told]).toEqual([true, ['silent']]);
    store.answer();
    await done;
    expect([storeIsSilent.get(), told]).toEqual([false, ['silent', 'ok']]);
  });
  it('of the person before does not make that of the next one silent', async () => {
    const [before, now] = [slow(), slow()];
    const first = check(before.open);
    const second = check(now.open);
    now.answer();
    await second.done;
    vi.advanceTimersByTime(2 * storeAnswersMs);
    expect([storeIsSilent.get(), first.told, second.told]).toEqual([false, [], ['ok']]);
    before.answer();
    await first.done;
    expect([storeIsSilent.get(), first.told]).toEqual([false, []]);
  });
});
