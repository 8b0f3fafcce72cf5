import { useEffect } from 'react';

/** The window's title on a page outside the app's frame, which sets it for the pages inside. */
export const useWindowTitle = (title: string) =>
  useEffect(() => {
    document.title = title;
  }, [title]);
