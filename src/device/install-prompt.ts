/** Loaded with the app's first script, because the browser fires its install prompt only once, early. */
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
 * How the app can be installed: by the browser's prompt, or manually. Null if it is installed, or if the browser supports
 * prompts but has none at present.
 */
export const installWay = (): InstallWay | null => {
  if (offered) return 'offered';
  if (isOnHomeScreen() || 'onbeforeinstallprompt' in window) return null;
  // All browsers on iPads and iPhones use Safari's engine; this property exists only there.
  if ('standalone' in navigator) return 'ipad';
  if ('safari' in window) return 'mac';
  return /Android.*Firefox/.test(navigator.userAgent) ? 'firefox-android' : 'none';
};

export const install = async () => {
  const event = offered;
  offered = null;
  await event?.prompt();
};
