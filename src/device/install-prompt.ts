/** Loaded with the app's first script: the browser offers once, long before anybody opens the menu. */
type InstallEvent = Event & { prompt(): Promise<void> };

let offered: InstallEvent | null = null;
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offered = event as InstallEvent;
});

/** Whether this window is the installed app. */
export const isOnHomeScreen = () => (navigator as { standalone?: boolean }).standalone === true || matchMedia('(display-mode: standalone)').matches;

export type InstallWay = 'offered' | 'ipad' | 'mac' | 'firefox-android' | 'none';
/**
 * How the app gets on this device: by the browser's offer, or by hand where it makes none. Null where there is nothing to
 * do: it is installed, or the browser makes offers and has none now.
 */
export const installWay = (): InstallWay | null => {
  if (offered) return 'offered';
  if (isOnHomeScreen() || 'onbeforeinstallprompt' in window) return null;
  // Browsers on iPads and iPhones are all Safari's engine; only there is this known, whatever they call themselves.
  if ('standalone' in navigator) return 'ipad';
  if ('safari' in window) return 'mac';
  return /Android.*Firefox/.test(navigator.userAgent) ? 'firefox-android' : 'none';
};

export const install = async () => {
  const event = offered;
  offered = null;
  await event?.prompt();
};
