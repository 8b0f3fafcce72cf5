/** Runs work once the page has nothing more urgent to do, at the latest after `atLatestMs`. */
export const whenIdle = (work: () => void, atLatestMs = 4000) => {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: atLatestMs });
  else setTimeout(work, 500);
};
