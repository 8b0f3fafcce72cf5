/** Hidden tabs get no animation frames. */
const withoutFramesMs = 200;

/** Runs `work` once the next frame has been presented, which is in the frame after it. Returns a function that cancels it. */
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
 * Draws the first value in the task in which it arrives, and passes it to `onPresented` once the browser has presented it, because rendering
 * with React takes several times as long as drawing the canvas. Later values are passed on directly. `draw` returns whether it has drawn.
 */
export const pictureFirst = <T>(draw: (value: T) => boolean, onPresented: (value: T) => void): { take: (value: T) => void; stop: () => void } => {
  let isDrawn = false;
  let latest: T;
  let stopWaiting: (() => void) | null = null;
  return {
    take: (value) => {
      latest = value;
      // Values that arrive meanwhile must not overtake the first.
      if (stopWaiting) return;
      if (isDrawn || !draw(value)) return onPresented(value);
      isDrawn = true;
      stopWaiting = afterFrame(() => {
        stopWaiting = null;
        onPresented(latest);
      });
    },
    stop: () => stopWaiting?.(),
  };
};
