import { NotSaved } from '#src/offline/outbox/commit.ts';

/** Saves on this device and shows a message if that fails; the `save` of an offline form. */
export const savedHere = async (save: () => Promise<string>) => {
  try {
    return { kind: 'ok' as const, data: await save() };
  } catch (error) {
    const full = error instanceof NotSaved && error.reason === 'full';
    const whole = full ? 'This device is full. What you wrote is still here. Remove a course you do not need, then try again.' : '';
    return {
      kind: 'failed' as const,
      errors: { whole: whole || 'This could not be saved on this device. What you wrote is still here; please try again.' },
    };
  }
};
export const savedWords = 'Saved on this device. It is sent as soon as there is a connection.';
