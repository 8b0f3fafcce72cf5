import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import type { observable } from '#src/lib/observable.ts';

type Asked = { opened: boolean; by: Element | null };
/**
 * What a dialog is open for, when it is rendered outside the list that opened it, which may reload and lose the row meanwhile. It closes with
 * the page. `gone`: it has left the screen; the focus returns to the button.
 */
export const useAskedDialog = <T extends Asked>(asked: ReturnType<typeof observable<T | null>>) => {
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
  return { shown, close: () => asked.set({ ...shown, opened: false }), gone };
};
