import '#src/ui/global.css';
import '#src/device/install-prompt.ts';
import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { currentBrand, refreshBrand, useBrand } from '#src/access/brand.ts';
import { keepTwice, restoreKept } from '#src/access/kept-twice.ts';
import { currentUser, finishSession, unconfirmedPerson, useActingAs, useSession } from '#src/access/session.ts';
import { whenRefused } from '#src/api/call.ts';
import { whenHeld } from '#src/api/transport.ts';
import { followColourScheme } from '#src/app/colour-scheme.ts';
import { answerRefusal } from '#src/app/refusal.ts';
import { fetchWhatComes } from '#src/app/opening.ts';
import { router } from '#src/app/router.tsx';
import { followContract, registerOnceUsable, registerServiceWorker } from '#src/app/service-worker.ts';
import { mayBeLocked } from '#src/device/lock-hint.ts';
import { leavingMark, unsealedMark } from '#src/device/leaving-mark.ts';
import { checkLastKnown } from '#src/device/last-known.ts';
import { whenIdle, whenPageIsShown } from '#src/lib/when-idle.ts';
import { applyBrand } from '#src/ui/theme/apply-brand.ts';

const App = () => {
  const brand = useBrand();
  const ownSlug = useSession()?.primary_entity.slug;
  const acting = useActingAs();
  const slug = acting?.slug ?? ownSlug;
  useEffect(() => {
    whenIdle(() => void refreshBrand(slug));
  }, [slug]);
  useEffect(() => {
    applyBrand(brand);
  }, [brand]);
  return <RouterProvider router={router} />;
};

keepTwice();
// The browser was killed before it had stored the sign-in or sign-out.
void restoreKept().then(
  (restored) => {
    if (!restored) return;
    history.replaceState(null, '', performance.getEntriesByType('navigation')[0]?.name ?? '/');
    location.reload();
  },
  () => undefined,
);
followColourScheme();
applyBrand(currentBrand());
whenRefused((status, code) => {
  const answer = () => answerRefusal(status, code, (to) => void router.navigate(to));
  const user = currentUser();
  if (status !== 401 || !user || !mayBeLocked(user.uuid)) answer();
  // The session was locked with the device, and there was no connection when it was unlocked.
  else void import('#src/device/lock.ts').then(({ unlockSession }) => unlockSession()).then((open) => (open ? location.reload() : answer()), answer);
});
// What a sign-in, and the end of the session before it, need themselves.
const neverHeld = ['/check', '/login', '/logout', '/sanctum/csrf-cookie'];
whenHeld((path) =>
  unconfirmedPerson() === null || neverHeld.includes(path) ? null : import('#src/device/sign-in-here.ts').then((m) => m.confirmSignIn()),
);
followContract();
// If a worker is already active, looking for a newer one can wait.
if (navigator.serviceWorker?.controller) whenIdle(registerServiceWorker);
else registerOnceUsable();
whenPageIsShown(fetchWhatComes, 60_000);
checkLastKnown();
// A sign-out that was interrupted by a closed page or a lost connection.
if (leavingMark.get() !== null || unsealedMark.get() !== null) void import('#src/device/leaving.ts').then((m) => m.finishLeaving());
whenIdle(() => void finishSession());
addEventListener('online', () => void finishSession());
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
