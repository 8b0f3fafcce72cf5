import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { reminded } from '#src/screens/remind.ts';

const RemindDialog = loadedLater(() => import('#src/screens/remind-dialog.tsx').then((m) => m.RemindDialog));

/** Renders the dialog outside the list that opened it, as `WhyHost` does. It closes with the page. */
export const RemindHost = () => {
  const shown = useSyncExternalStore(reminded.subscribe, reminded.get);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => () => reminded.set(null), [pathname]);
  if (!shown) return null;
  const end = () => {
    reminded.set(null);
    const back = shown.by?.isConnected ? shown.by : document.getElementById('main');
    if (back instanceof HTMLElement) back.focus();
  };
  return <RemindDialog people={shown.people} opened={shown.opened} onClose={() => reminded.set({ ...shown, opened: false })} onGone={end} />;
};
