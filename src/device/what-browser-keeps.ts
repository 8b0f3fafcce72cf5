import { isOnHomeScreen } from '#src/device/install-prompt.ts';

/** Whether storage is persistent, and whether it survives closing the window at all. */
export type Keeping = { promised: boolean; windowOnly: boolean };

/** Checks now. Private windows of Safari and Firefox expose private files but refuse access. */
export const lookAtKeeping = async (): Promise<Keeping> => {
  const { storage } = navigator;
  const promised = (await storage?.persisted?.().catch(() => false)) ?? false;
  const refused = !promised && storage?.getDirectory !== undefined && (await storage.getDirectory().then(() => false, isRefusal));
  return { promised, windowOnly: refused };
};
const isRefusal = (error: Error) => error.name === 'SecurityError';

/** Safari clears a website's data after seven days without use, unless it is on the Home Screen or in the Dock. */
const clearsAfterAWeek = () => ('standalone' in navigator || 'safari' in window) && !isOnHomeScreen();

/** A sentence about how long the browser keeps data: `it` is the person's work, `them` are courses. `unsent`: work waits to be sent. */
export const keepingWords = ({ promised, windowOnly }: Keeping, it: 'it' | 'them', unsent = false): string => {
  if (promised) return `The browser has agreed to keep ${it}.`;
  if (windowOnly) return `This looks like a private window: closing it clears ${it}. Use an ordinary window for work without a signal.`;
  if (clearsAfterAWeek())
    return `Safari clears ${it} when Lantern has not been opened for seven days. Add Lantern to the Home Screen to keep ${it}: see “Install on this device” in your menu.`;
  return `The browser may clear ${it} if the device runs out of space${unsent ? '; send it as soon as you can' : ''}.`;
};

/** Whether the browser can send while no page of Lantern is open (Chromium only). */
export const sendsWhenClosed = (): boolean => 'SyncManager' in window;
