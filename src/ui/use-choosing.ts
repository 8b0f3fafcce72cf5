import { useState } from 'react';
import { notify } from '#src/ui/notify.ts';

/** Carries out what somebody has chosen for something that waits on this device, and says what has come of it. */
export const useChoosing = () => {
  const [busy, setBusy] = useState(false);
  const choose = async (work: () => Promise<void>, said: string) => {
    setBusy(true);
    try {
      await work();
      notify('success', said);
    } catch {
      notify('error', 'This could not be saved on the tablet. Nothing has changed; please try again.');
    } finally {
      setBusy(false);
    }
  };
  return { busy, setBusy, choose };
};
