/** Loaded with the app's first script: the browser offers once, long before anybody opens the menu. */
type InstallEvent = Event & { prompt(): Promise<void> };
let offered: InstallEvent | null = null;
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offered = event as InstallEvent;
});

/** Whether the browser offers to install the app now. */
export const canInstall = () => offered !== null;
export const install = async () => {
  const event = offered;
  offered = null;
  await event?.prompt();
};
