/** Runs work when the browser is idle, at the latest after `atLatestMs`. */
export const whenIdle = (work: () => void, atLatestMs = 4000) => {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: atLatestMs });
  else setTimeout(work, 500);
};
