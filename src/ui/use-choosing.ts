import { useState } from 'react';
import { notify } from '#src/ui/notify.ts';

/** Carries out a person's choice for a waiting entry and reports the outcome. */
export const useChoosing = () => {
  const [busy, setBusy] = useState(false);
  const choose = async (work: () => Promise<void>, confirmation: string) => {
    setBusy(true);
    try {
      await work();
      notify('success', confirmation);
    } catch {
      notify('error', 'This could not be saved on this device. Nothing has changed; please try again.');
    } finally {
      setBusy(false);
    }
  };
  return { busy, setBusy, choose };
};
