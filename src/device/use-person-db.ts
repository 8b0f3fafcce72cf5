import { useSession } from '#src/access/session.ts';
import { setPackageKeeper } from '#src/offline/media/package-keeper.ts';
import { keepFileJournals } from '#src/offline/journal/file-journal.ts';
import { sendNow } from '#src/device/engine-lifetime.ts';
import { countOf } from '#src/lib/format.ts';
import { forgetOpenPackage, isPackageOpenHere, wasPackageOpen } from '#src/lib/open-package.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { checkJournal, incidentsOf, openStore } from '#src/offline/store/open-store.ts';
import { type PersonDb, personDb } from '#src/offline/store/person-db.ts';

keepFileJournals();
// Loaded on first use, because most people never download a package.
const keeper = () => import('#src/device/framed-keeper.ts').then((m) => m.framedKeeper);
setPackageKeeper({
  keep: async (...args) => (await keeper()).keep(...args),
  has: async (tree) => (await keeper()).has(tree),
  check: async (tree) => (await keeper()).check(tree),
  drop: async (tree) => (await keeper()).drop(tree),
});

/** The signed-in person's database. Only within signed-in layouts. */
export const usePersonDb = (): PersonDb => {
  const user = useSession();
  if (!user) throw new Error('nobody is signed in');
  return personDb(user.uuid);
};

export type StoreState = Awaited<ReturnType<typeof openStore>>;
/** Compares the second journal with the store and cleans up, when the browser is idle. */
export const tidyJournal = (personId: string): void =>
  whenIdle(() => {
    void checkJournal(personDb(personId))
      .then((found) => (found > 0 ? sendNow() : undefined))
      .catch(() => undefined);
    if (wasPackageOpen())
      void import('#src/device/framed-keeper.ts')
        .then((m) => m.hearLastWords())
        .then(() => isPackageOpenHere() || forgetOpenPackage())
        .catch(() => undefined);
  });

/** A message about data the browser lost and the person has not been told about yet, or null. */
export const lossToTell = async (personId: string): Promise<string | null> => {
  const untold = (await incidentsOf(personId)).filter((i) => !i.seen);
  if (untold.length === 0) return null;
  const recovered = untold.reduce((sum, i) => sum + i.recovered, 0);
  return `The browser lost the data stored on this device. ${
    recovered > 0
      ? `${countOf(recovered, 'unsent item')} ${recovered === 1 ? 'was' : 'were'} recovered from the second copy`
      : 'You had no unsent work'
  }; nothing you did is lost.`;
};

/** Whether a person's database on this device can be used. */
export const checkPersonStore = (personId: string): Promise<StoreState> => openStore(personDb(personId));
