import { useSyncExternalStore } from 'react';
import { useSession } from '#src/access/session.ts';
import { setPackageKeeper } from '#src/offline/media/package-keeper.ts';
import { keepFileJournals } from '#src/offline/journal/file-journal.ts';
import { sendNow } from '#src/device/engine-lifetime.ts';
import { countOf } from '#src/lib/format.ts';
import { askStore, StoreSilent, storeIsSilent } from '#src/device/store-silent.ts';
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

/** The signed-in person's database, whether it answers or not. Only within signed-in layouts. */
export const useAnyPersonDb = (): PersonDb => {
  const user = useSession();
  if (!user) throw new Error('nobody is signed in');
  return personDb(user.uuid);
};

/** The same for pages, which cannot do without it. */
export const usePersonDb = (): PersonDb => {
  const db = useAnyPersonDb();
  if (useSyncExternalStore(storeIsSilent.subscribe, storeIsSilent.get)) throw new StoreSilent('the store of this device does not answer');
  return db;
};

/** `silent`: it does not answer. */
export type StoreState = Awaited<ReturnType<typeof openStore>> | 'silent';
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
  const lost = untold.reduce((sum, i) => sum + (i.lost ?? 0), 0);
  return [
    'The browser lost the data stored on this device.',
    ...(recovered > 0 ? [`${countOf(recovered, 'unsent item')} ${recovered === 1 ? 'was' : 'were'} recovered.`] : []),
    lost > 0
      ? `${countOf(lost, 'saved item')} ${lost === 1 ? 'is' : 'are'} no longer on it: open “Your work on this device” to see whether the server has ${lost === 1 ? 'it' : 'them'}.`
      : recovered > 0
        ? 'Nothing that was known to be waiting is lost.'
        : 'Nothing was known to be waiting.',
  ].join(' ');
};

/**
 * Whether a person's database on this device can be used. `onState` is also called with `silent` if it takes longer than a store should,
 * and again once it has answered after all.
 */
export const checkPersonStore = (personId: string, onState: (state: StoreState) => void): Promise<StoreState> =>
  askStore(() => openStore(personDb(personId)), onState);
