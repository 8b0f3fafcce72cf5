import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { otherPageIsReady } from '#src/device/last-known.ts';
import { texts } from '#contract/texts.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';

/** Browsers word it differently; the last is said by the build's own loader of styles. */
const isMissingChunk = (error: unknown) =>
  error instanceof Error && /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message);

/** When a screen breaks: says so, keeps what is saved, and offers a fresh start. */
export const CrashScreen = () => {
  const error = useRouteError();
  useEffect(otherPageIsReady, []);
  const message = isMissingChunk(error)
    ? 'This page has not been kept on this device, and there is no connection to fetch it. What you have saved is safe.'
    : `${texts.fallback} What you have saved on this device is safe.`;
  return (
    <main style={{ maxWidth: 480, margin: '15vh auto', padding: 24, textAlign: 'center' }} role="alert">
      <h1>That did not work</h1>
      <p>{message}</p>
      <PlainButton onClick={() => location.reload()}>Try again</PlainButton>
    </main>
  );
};
