import { useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router-dom';
import { protocol } from '#contract/protocol.ts';
import classes from '#src/app/root-layout.module.css';
import { UpdatePrompt } from '#src/app/update-prompt.tsx';
import { Notices } from '#src/ui/notices.tsx';

/** What every screen has: the loading bar, scrolling to a place on the page, messages, the offer of a new version. */
export const RootLayout = () => {
  const navigation = useNavigation();
  const location = useLocation();
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top
  useEffect(() => {
    if (location.hash) {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (target) {
        const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
        window.scrollTo({
          top: target.getBoundingClientRect().top + window.scrollY - protocol.hashScrollOffsetPx,
          behavior: calm ? 'auto' : 'smooth',
        });
      }
      return;
    }
    if (first.current) first.current = false;
    else window.scrollTo(0, 0);
  }, [location.pathname, location.hash]);
  return (
    <>
      <div
        className={classes.bar}
        data-active={navigation.state !== 'idle' || undefined}
        role="progressbar"
        aria-label="Loading page"
        aria-hidden={navigation.state === 'idle'}
      />
      <Outlet />
      <UpdatePrompt />
      <Notices />
    </>
  );
};
