/** Runs work when the browser is idle, at the latest after `atLatestMs`. */
export const whenIdle = (work: () => void, atLatestMs = 4000) => {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: atLatestMs });
  else setTimeout(work, 500);
};

/** On what is shown in place of a page, or a part of it, that is still loading. */
export const placeholder = { 'data-placeholder': true } as const;
const looksAgainAfterMs = 100;
/** Runs work when the browser is idle and nothing is shown as loading, at the latest after `atLatestMs`: it does not compete with the page. */
export const whenPageIsShown = (work: () => void, atLatestMs = 10_000) => {
  const until = performance.now() + atLatestMs;
  const look = () => {
    if (performance.now() < until && document.querySelector('[data-placeholder]')) setTimeout(() => whenIdle(look), looksAgainAfterMs);
    else work();
  };
  whenIdle(look);
};
