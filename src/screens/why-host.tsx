import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { asked } from '#src/screens/why.ts';

const WhyDialog = loadedLater(() => import('#src/screens/why-dialog.tsx').then((m) => m.WhyDialog));

/**
 * Where the dialog stands: not in the list that asked, which may be read again and lose the row meanwhile. It goes with the page. It is
 * on every page, so nothing of the component library is here: that comes with the dialog.
 */
export const WhyHost = () => {
  const shown = useSyncExternalStore(asked.subscribe, asked.get);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => () => asked.set(null), [pathname]);
  if (!shown) return null;
  const gone = () => {
    asked.set(null);
    const back = shown.by?.isConnected ? shown.by : document.getElementById('main');
    if (back instanceof HTMLElement) back.focus();
  };
  return <WhyDialog why={shown.why} from={shown.from} opened={shown.opened} onClose={() => asked.set({ ...shown, opened: false })} onGone={gone} />;
};
