import { protocol } from '#contract/protocol.ts';

/** The parts of a page load one after the other, so the element may appear late. */
const longestWaitMs = 10_000;
/** Somebody who scrolls is not scrolled back. */
const ownMoves = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Scrolls to the element named in the address (#…) as soon as it exists, and keeps it in view while the page loads. Returns a function that stops it. */
export const scrollToHash = (hash: string): (() => void) => {
  let id = hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // Unencoded, as written.
  }
  const show = () => {
    const target = document.getElementById(id);
    if (!target) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({
      top: target.getBoundingClientRect().top + window.scrollY - protocol.hashScrollOffsetPx,
      behavior: calm ? 'auto' : 'smooth',
    });
  };
  if (id === '') return () => {};
  show();
  // Content that loads above the element moves it.
  const watch = new MutationObserver(show);
  const stop = () => {
    watch.disconnect();
    clearTimeout(end);
    for (const move of ownMoves) removeEventListener(move, stop);
  };
  const end = setTimeout(stop, longestWaitMs);
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['id'] });
  for (const move of ownMoves) addEventListener(move, stop, { passive: true });
  return stop;
};
