import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterAwake } from '#src/lib/after-awake.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('calls back after that long', () => {
  const late = vi.fn();
  afterAwake(2500, late);
  vi.advanceTimersByTime(2499);
  expect(late).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(late).toHaveBeenCalledOnce();
});
it('does not count a sleep: what answers after waking answers in time', () => {
  const late = vi.fn();
  const cancel = afterAwake(8000, late);
  vi.advanceTimersByTime(3000);
  // It sleeps for an hour: the timer that was due meanwhile fires once when it wakes.
  const awake = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => awake() + 3_600_000);
  vi.runOnlyPendingTimers();
  expect(late).not.toHaveBeenCalled();
  cancel();
  vi.advanceTimersByTime(60_000);
  expect(late).not.toHaveBeenCalled();
});
it('is cancelled also where its timer can no longer be', () => {
  const late = vi.fn();
  const cancel = afterAwake(8000, late);
  vi.stubGlobal('clearTimeout', () => undefined);
  cancel();
  vi.unstubAllGlobals();
  vi.advanceTimersByTime(60_000);
  expect(late).not.toHaveBeenCalled();
});
