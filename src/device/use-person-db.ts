import { useSession } from '#src/access/session.ts';
import { keepFileJournals } from '#src/offline/journal/file-journal.ts';
import { openStore } from '#src/offline/store/open-store.ts';
import { type PersonDb, personDb } from '#src/offline/store/person-db.ts';

keepFileJournals();

/** The signed-in person's database. Only below the signed-in layouts. */
export const usePersonDb = (): PersonDb => {
  const user = useSession();
  if (!user) throw new Error('nobody is signed in');
  return personDb(user.uuid);
};

export type StoreState = Awaited<ReturnType<typeof openStore>>;
/** Whether a person's database on this device can be used. */
export const checkPersonStore = (personId: string): Promise<StoreState> => openStore(personDb(personId));
