import { webAddress } from '#contract/rules/links.ts';
import type { AuthUser } from '#contract/entities/user.ts';

/** A page that an organisation shows its people after sign-in: each time, or once per link. */
export type LoginPopup = NonNullable<AuthUser['login_popup']>;

const signedInKey = 'just-signed-in';
const seenKey = (personId: string) => `popup-seen:${personId}`;

/** Set by the sign-in page; the shell shows the page when it next starts. */
export const noteSignedIn = (): void => sessionStorage.setItem(signedInKey, '1');

export const takeLoginPopup = (user: AuthUser | null): LoginPopup | null => {
  if (!user || sessionStorage.getItem(signedInKey) === null) return null;
  sessionStorage.removeItem(signedInKey);
  const popup = user.login_popup;
  return popup && webAddress(popup.link) !== null && (popup.always || localStorage.getItem(seenKey(user.uuid)) !== popup.link) ? popup : null;
};
export const notePopupSeen = (personId: string, link: string): void => localStorage.setItem(seenKey(personId), link);
