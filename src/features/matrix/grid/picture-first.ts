/** A hidden tab has no frames. */
const withoutFramesMs = 200;

/** Runs when the next frame has been presented: in the frame after it. */
const afterFrame = (work: () => void): (() => void) => {
  let timer = setTimeout(work, withoutFramesMs);
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      timer = setTimeout(work);
    });
  });
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
};

/**
 * Draws the first value in the task in which it arrives, and passes it to `tell` once it has been presented: rendering the elements in React takes
 * several times as long as drawing the canvas. `draw` returns whether it has drawn.
 */
export const pictureFirst = <T>(draw: (it: T) => boolean, tell: (it: T) => void): { take: (it: T) => void; stop: () => void } => {
  let isDrawn = false;
  let latest: T;
  let stopWaiting: (() => void) | null = null;
  return {
    take: (it) => {
      latest = it;
      // Later values wait for the first.
      if (stopWaiting) return;
      if (isDrawn || !draw(it)) return tell(it);
      isDrawn = true;
      stopWaiting = afterFrame(() => {
        stopWaiting = null;
        tell(latest);
      });
    },
    stop: () => stopWaiting?.(),
  };
};
