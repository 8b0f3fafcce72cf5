import { notify, removeNotice } from '#src/ui/notify.ts';

let said: number | null = null;
/** Says, once, that what is being typed is not kept on this tablet; and takes that back as soon as it is again. */
export const sayWhereNotKept = (keeping: Promise<void>): void => {
  keeping.then(
    () => {
      if (said !== null) removeNotice(said);
      said = null;
    },
    () => {
      said ??= notify('error', 'What you type cannot be kept on this tablet now: its storage may be full. Save soon, and free some space.');
    },
  );
};
