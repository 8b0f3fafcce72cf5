import { useSession } from '#src/access/session.ts';
import { type PersonDb, personDb } from '#src/offline/store/person-db.ts';

/** The signed-in person's database. Only below the signed-in layouts. */
export const usePersonDb = (): PersonDb => {
  const user = useSession();
  if (!user) throw new Error('nobody is signed in');
  return personDb(user.uuid);
};
