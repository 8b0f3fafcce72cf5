import { useEffect, useState } from 'react';
import { useSession } from '#src/access/session.ts';
import { AccountSign } from '#src/features/account/account-sign.tsx';
import { notePopupSeen, takeLoginPopup } from '#src/features/account/login-popup.ts';
import { sharedDevice } from '#src/device/handed-over.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';

const LoginPopupDialog = loadedLater(() => import('#src/features/account/login-popup-dialog.tsx').then((m) => m.LoginPopupDialog));
const PinOffer = loadedLater(() => import('#src/features/account/pin-offer.tsx').then((m) => m.PinOffer));
const AccountMenu = loadedLater(() => import('#src/features/account/account-menu.tsx').then((m) => m.AccountMenu));

/** Whether the device is locked for the signed-in person. */
export const LockScreen = loadedLater(() => import('#src/features/account/lock-screen.tsx').then((m) => m.LockScreen));

/** The account button; its menu is loaded when first opened. */
export const Account = () => {
  const user = useSession();
  const [menuOpened, setMenuOpened] = useState(false);
  const [popup] = useState(() => takeLoginPopup(user));
  const [offersPin, setOffersPin] = useState(false);
  const id = user?.uuid;
  useEffect(() => {
    if (id && sharedDevice.get() === true)
      whenIdle(
        () =>
          void import('#src/device/owner-ways.ts')
            .then((m) => m.offersPin(id))
            .then(setOffersPin)
            .catch(() => undefined),
      );
  }, [id]);
  if (!user) return null;
  const sign = <AccountSign user={user} onClick={() => setMenuOpened(true)} />;
  return (
    <>
      {menuOpened ? <AccountMenu meanwhile={sign} /> : sign}
      {offersPin && <PinOffer personId={user.uuid} />}
      {popup && <LoginPopupDialog popup={popup} onSeen={() => notePopupSeen(user.uuid, popup.link)} />}
    </>
  );
};
