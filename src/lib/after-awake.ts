const stepMs = 1000;

/**
 * Calls back once the device has been awake for that long. Counted in steps: of a sleep, of which a single timer would count everything, and which
 * would call back before anything else had a chance to answer, little counts. Returns what cancels it, for good: also where
 * the browser no longer knows the timer.
 */
export const afterAwake = (ms: number, then: () => void): (() => void) => {
  let left = ms;
  let cancelled = false;
  const step = () => {
    const begun = performance.now();
    return setTimeout(
      () => {
        if (cancelled) return;
        // On a busy device a step takes longer; after a sleep, much longer.
        left -= Math.min(performance.now() - begun, 2 * stepMs);
        if (left > 0) timer = step();
        else then();
      },
      Math.min(stepMs, left),
    );
  };
  let timer = step();
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
};
