const stepMs = 1000;

/**
 * Calls back once the device has been awake for that long. Counted in steps: of a sleep, of which a single timer would count everything, and which
 * would call back before anything else had a chance to answer, at most one step counts. Returns what cancels it, for good: also where
 * the browser no longer knows the timer.
 */
export const afterAwake = (ms: number, then: () => void): (() => void) => {
  let left = ms;
  let cancelled = false;
  const step = () => {
    const next = Math.min(stepMs, left);
    left -= next;
    return setTimeout(() => {
      if (cancelled) return;
      if (left > 0) timer = step();
      else then();
    }, next);
  };
  let timer = step();
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
};
