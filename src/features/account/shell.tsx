import { lazy, Suspense, useState } from 'react';
import { useSession } from '#src/access/session.ts';
import { AccountSign } from '#src/features/account/account-sign.tsx';

const AccountMenu = lazy(() => import('#src/features/account/account-menu.tsx').then((m) => ({ default: m.AccountMenu })));

const Locked = lazy(() => import('#src/features/account/lock-screen.tsx').then((m) => ({ default: m.LockScreen })));
/** The tablet is locked for the person who is signed in. */
export const LockScreen = () => (
  <Suspense fallback={null}>
    <Locked />
  </Suspense>
);

/** Who is signed in; the menu behind it is loaded, and open, when it is asked for. */
export const Account = () => {
  const user = useSession();
  const [wanted, setWanted] = useState(false);
  if (!user) return null;
  const sign = <AccountSign user={user} onClick={() => setWanted(true)} />;
  return wanted ? (
    <Suspense fallback={sign}>
      <AccountMenu />
    </Suspense>
  ) : (
    sign
  );
};
