import { useEffect, useRef } from 'react';

/** Hides the app around the page, and the browser around the app where it can be hidden. To be called by a press, which browsers require. */
export const enterWholeWindow = () => {
  void document.documentElement.requestFullscreen?.().catch(() => undefined);
};

/** While it is on, the page has the whole window: the shell shows neither head nor navigation. `onLeave`: the browser left full screen. */
export const useWholeWindow = (isOn: boolean, onLeave: () => void) => {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    if (!isOn) return;
    const root = document.documentElement;
    root.dataset.whole = '';
    const onChange = () => {
      if (!document.fullscreenElement) leave.current();
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      delete root.dataset.whole;
      document.removeEventListener('fullscreenchange', onChange);
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
    };
  }, [isOn]);
};
