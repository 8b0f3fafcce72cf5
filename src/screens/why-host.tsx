import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { question } from '#src/screens/why.ts';

const WhyDialog = loadedLater(() => import('#src/screens/why-dialog.tsx').then((m) => m.WhyDialog));

/**
 * Renders the dialog outside the list that opened it, which may reload and lose the row meanwhile. It closes with the page. It is
 * on every page, so it does not import the component library: that is loaded with the dialog.
 */
export const WhyHost = () => {
  const shown = useSyncExternalStore(question.subscribe, question.get);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => () => question.set(null), [pathname]);
  if (!shown) return null;
  const end = () => {
    question.set(null);
    const back = shown.by?.isConnected ? shown.by : document.getElementById('main');
    if (back instanceof HTMLElement) back.focus();
  };
  return <WhyDialog why={shown.why} from={shown.from} opened={shown.opened} onClose={() => question.set({ ...shown, opened: false })} onGone={end} />;
};
