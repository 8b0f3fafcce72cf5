/**
 * Asks the browser to keep this device's storage when the disk is full. Returns its answer. Firefox asks the person, who may take any
 * amount of time, so nothing else should wait for it.
 */
export const askToPersist = async (): Promise<boolean> => {
  const storage = globalThis.navigator?.storage as (StorageManager & { persist?: () => Promise<boolean> }) | undefined;
  return (await storage?.persisted?.().catch(() => false)) || ((await storage?.persist?.().catch(() => false)) ?? false);
};

/** Whether the browser would ask the person. Chromium and Safari decide by themselves; only they name their maker. */
export const asksPerson = (): boolean => ((globalThis.navigator as { vendor?: string } | undefined)?.vendor ?? '') === '';

let asked = false;
/**
 * Asks before the first work is saved, once in each page, where that disturbs nobody: such a browser may change its answer from day to
 * day. Where the person would be asked, that is left to the moments at which they choose something for offline use.
 */
export const askQuietly = (): void => {
  if (asked || asksPerson() || !('document' in globalThis)) return;
  asked = true;
  void askToPersist();
};
