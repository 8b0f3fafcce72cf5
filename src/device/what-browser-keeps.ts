import { isOnHomeScreen } from '#src/device/install-prompt.ts';

/** Whether the browser promises to keep what is stored here, and whether it keeps anything at all once the window is closed. */
export type Keeping = { promised: boolean; windowOnly: boolean };

/** Looks now. A private window of Safari or Firefox has private files by name only: asked for, they are refused. */
export const lookAtKeeping = async (): Promise<Keeping> => {
  const { storage } = navigator;
  const promised = (await storage?.persisted?.().catch(() => false)) ?? false;
  const refused = !promised && storage?.getDirectory !== undefined && (await storage.getDirectory().then(() => false, isRefusal));
  return { promised, windowOnly: refused };
};
const isRefusal = (error: Error) => error.name === 'SecurityError';

/** Safari clears what a website keeps when it was not used for seven days; not of what stands on the Home Screen or in the Dock. */
const clearsAfterAWeek = () => ('standalone' in navigator || 'safari' in window) && !isOnHomeScreen();

/** How long the browser keeps what is on this tablet, in a sentence: `it` is what somebody did, `them` are courses. */
export const keepingWords = ({ promised, windowOnly }: Keeping, it: 'it' | 'them'): string => {
  if (promised) return `The browser has agreed to keep ${it}.`;
  if (windowOnly) return `This looks like a private window: closing it clears ${it}. Use an ordinary window for work without a signal.`;
  if (clearsAfterAWeek())
    return `Safari clears ${it} when Lantern has not been opened for seven days. Add Lantern to the Home Screen to keep ${it}: see “Install on this tablet” in your menu.`;
  return `The browser may clear ${it} if the tablet runs out of space${it === 'it' ? '; send it as soon as you can' : ''}.`;
};

/** Whether the browser can send while no page of Lantern is open. Only Chrome and its relatives do. */
export const sendsWhenClosed = (): boolean => 'SyncManager' in window;
