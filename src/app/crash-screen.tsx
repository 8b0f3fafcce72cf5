import { useEffect, useState, useSyncExternalStore } from 'react';
import { useRouteError } from 'react-router-dom';
import { request } from '#src/api/transport.ts';
import { removeOpening } from '#src/app/opening.ts';
import { reloadNewest } from '#src/app/service-worker.ts';
import { otherPageIsReady } from '#src/device/last-known.ts';
import { countOf } from '#src/lib/format.ts';
import { onlyHere } from '#src/lib/only-here.ts';
import { texts } from '#contract/texts.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';

/** Browsers word it differently; the last is said by the build's own loader of styles. */
const isMissingChunk = (error: unknown) =>
  error instanceof Error && /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message);

/** For this tab: when the page was last reloaded because a part of it was missing. */
const reloadedKey = 'reloaded-for-part';
const again = 60_000;
const mayReload = () => Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) > again;
const askMs = 5000;

const words = {
  other: `${texts.fallback} What you have saved on this device is safe.`,
  asking: 'This page has not been kept on this device. Asking the server for it … What you have saved is safe.',
  offline: 'This page has not been kept on this device, and there is no connection to fetch it. What you have saved is safe.',
  newer: 'The app has been updated on the server, and this page belongs to the former version. It is loaded anew; what you have typed is kept.',
  missing: 'This page could not be loaded from the server. What you have saved is safe.',
} as const;

/**
 * When a screen breaks: says so, keeps what is saved, and offers a fresh start. A page whose parts are no longer on the server loads
 * the newest version by itself, once.
 */
export const CrashScreen = () => {
  const error = useRouteError();
  const missing = isMissingChunk(error);
  const [state, setState] = useState<keyof typeof words>(missing ? 'asking' : 'other');
  const only = useSyncExternalStore(onlyHere.subscribe, onlyHere.get);
  useEffect(otherPageIsReady, []);
  useEffect(removeOpening, []);
  useEffect(() => {
    if (!missing) return;
    void request('GET', '/check', { timeoutMs: askMs }).then((answer) => {
      if (answer.kind === 'unreachable') setState('offline');
      else if (!mayReload()) setState('missing');
      else {
        sessionStorage.setItem(reloadedKey, String(Date.now()));
        setState('newer');
        void reloadNewest();
      }
    });
  }, [missing]);
  return (
    <main style={{ maxWidth: 480, margin: '15vh auto', padding: 24, textAlign: 'center' }} role="alert">
      <h1>That did not work</h1>
      <p>
        {only > 0
          ? `The browser has emptied this device’s storage, and ${countOf(only, 'item')} that you saved ${only === 1 ? 'is' : 'are'} only in this page. Keep it open and free some space on this device: it is saved again by itself.`
          : words[state]}
      </p>
      <PlainButton onClick={() => void reloadNewest()}>Try again</PlainButton>
    </main>
  );
};
