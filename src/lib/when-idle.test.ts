import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whenPageIsShown } from '#src/lib/when-idle.ts';

/** What the document shows as loading. */
let loading: object | null = {};
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', { querySelector: () => loading });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('runs work once nothing of the page is loading, and not before', () => {
  loading = {};
  const work = vi.fn();
  whenPageIsShown(work);
  vi.advanceTimersByTime(5000);
  expect(work).not.toHaveBeenCalled();
  loading = null;
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledOnce();
});
it('runs it in the end beside a page that never stops loading', () => {
  loading = {};
  const work = vi.fn();
  whenPageIsShown(work, 3000);
  vi.advanceTimersByTime(4000);
  expect(work).toHaveBeenCalledOnce();
});
