import { useMemo } from 'react';
import { countOf } from '#src/lib/format.ts';
import { lockOf, provePin } from '#src/offline/keys/keyring.ts';

/** A person's PIN on this device, for signing; null for a person without an account. `prove` returns null or an error message. */
export const usePin = (personId: string | null) =>
  useMemo(
    () =>
      personId === null
        ? null
        : {
            has: async (): Promise<boolean> => (await lockOf(personId))?.pin === true,
            prove: async (pin: string): Promise<string | null> => {
              const proved = await provePin(personId, pin);
              if (proved.kind === 'open') return null;
              const wait = proved.waitMs > 0 ? ` Try again in ${countOf(Math.ceil(proved.waitMs / 1000), 'second')}.` : '';
              return proved.kind === 'wait' ? `Too many attempts.${wait}` : `The PIN is incorrect.${wait}`;
            },
          },
    [personId],
  );
