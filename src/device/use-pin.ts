import { useMemo } from 'react';
import { guessWords } from '#src/device/password-here.ts';
import { lockOf, provePin } from '#src/offline/keys/keyring.ts';

/** A person's PIN on this device, for signing; null for a person without an account. `prove` returns null or an error message. */
export const usePin = (personId: string | null) =>
  useMemo(
    () =>
      personId === null
        ? null
        : {
            has: async (): Promise<boolean> => (await lockOf(personId))?.pin === true,
            prove: async (pin: string): Promise<string | null> => guessWords(await provePin(personId, pin), 'PIN'),
          },
    [personId],
  );
