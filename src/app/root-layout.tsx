import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router-dom';
import { removeOpening } from '#src/app/opening.ts';
import classes from '#src/app/root-layout.module.css';
import { scrollToHash } from '#src/app/scroll-to-hash.ts';
import { UpdatePrompt } from '#src/app/update-prompt.tsx';
import { useClosedForOwner } from '#src/device/handed-over.ts';
import { otherPageIsReady } from '#src/device/last-known.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { observable } from '#src/lib/observable.ts';
import { placeholder } from '#src/lib/when-idle.ts';
import { Notices } from '#src/ui/notices.tsx';

const TakeBackScreen = loadedLater(() => import('#src/screens/take-back.tsx').then((m) => m.TakeBackScreen));

/** The number of pages whose code is being loaded. */
const loading = observable(0);

/** The placeholder of a page; the loading bar runs while it is shown. */
export const PageLoading = () => {
  useEffect(() => {
    loading.set(loading.get() + 1);
    return () => loading.set(loading.get() - 1);
  }, []);
  return (
    <p className="visually-hidden" role="status" {...placeholder}>
      Loading the page
    </p>
  );
};

/** Long enough to be visible even if the page is loaded immediately. */
const shownMs = 150;
const fadeMs = 300;

/** Starts with each navigation and ends when the page is shown. */
const LoadingBar = () => {
  const navigation = useNavigation();
  const { pathname } = useLocation();
  const busy = useSyncExternalStore(loading.subscribe, loading.get) > 0 || navigation.state !== 'idle';
  const [bar, setBar] = useState<'idle' | 'running' | 'done'>('idle');
  const last = useRef(pathname);
  useEffect(() => {
    if (busy || last.current !== pathname) setBar('running');
    last.current = pathname;
  }, [busy, pathname]);
  useEffect(() => {
    if (bar === 'idle' || (bar === 'running' && busy)) return;
    const next = bar === 'running' ? setTimeout(() => setBar('done'), shownMs) : setTimeout(() => setBar('idle'), fadeMs);
    return () => clearTimeout(next);
  }, [bar, busy]);
  return (
    <div
      className={classes.bar}
      data-state={bar}
      role="progressbar"
      aria-label="Loading page"
      aria-valuetext="Loading"
      aria-hidden={bar !== 'running'}
      {...(busy ? placeholder : {})}
    />
  );
};

/** Common to every screen: the loading bar, scrolling to a hash, notices, the update prompt. */
export const RootLayout = () => {
  const location = useLocation();
  const first = useRef(true);
  const closed = useClosedForOwner();
  useEffect(removeOpening, []);
  useEffect(() => {
    if (closed) otherPageIsReady();
  }, [closed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top
  useEffect(() => {
    if (location.hash) {
      first.current = false;
      return scrollToHash(location.hash);
    }
    if (first.current) first.current = false;
    else window.scrollTo(0, 0);
  }, [location.pathname, location.hash]);
  return (
    <>
      <LoadingBar />
      {closed ? <TakeBackScreen /> : <Outlet />}
      <UpdatePrompt />
      <Notices />
    </>
  );
};
