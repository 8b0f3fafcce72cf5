import type { Kind } from '#contract/kinds.ts';
import { laneName, placeOfLane } from '#src/offline/kinds/lane.ts';
import { wordsOf } from '#src/offline/kinds/registry.ts';
import type { Result } from '#src/offline/kinds/words.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** A person's work on one thing: "Infection control: 9 pages, quiz handed in". Entries, oldest first. */
export type Done = { key: string; name: string; did: string; entries: Entry[] };

/** The thing under which an entry is shown. */
const shownAs = (entry: Entry): string => {
  const { kind, id } = wordsOf(entry.lane)?.shownWith?.(entry) ?? placeOfLane(entry.lane);
  return laneName(kind as Kind, id);
};

/** Names of the things that entries belong to, by id. */
export const namesOf = async (db: PersonDb, entries: readonly Entry[]): Promise<Map<string, string>> => {
  const things = Map.groupBy(entries, shownAs);
  const byKind = Map.groupBy(things.keys(), (thing) => placeOfLane(thing).kind);
  const names = new Map(
    (
      await Promise.all(
        [...byKind].map(async ([kind, keys]) =>
          (
            (await wordsOf(keys[0] as string)?.names(
              db,
              keys.map((k) => placeOfLane(k).id),
            )) ?? []
          ).map(([id, name]) => [laneName(kind as Kind, id), name] as const),
        ),
      )
    ).flat(),
  );
  return new Map([...things].flatMap(([thing, some]) => some.map((e) => [e.id, names.get(thing) ?? wordsOf(thing)?.unnamed ?? 'Other work'])));
};

/** Entries with the same merge key count once, even if one has already been sent. */
const timesOf = (entries: readonly Entry[]) => new Set(entries.map((e) => e.mergeKey ?? e.id)).size;
const didWords = (entries: readonly Entry[]): string =>
  [
    ...new Set(
      [...Map.groupBy(entries, (e) => e.command)].flatMap(
        ([command, some]) => wordsOf((some[0] as Entry).lane)?.commands[command]?.did(timesOf(some)) ?? [],
      ),
    ),
  ].join(', ');

/** Groups entries by thing, in the order in which they were begun. */
export const whatWasDone = (entries: readonly Entry[], names: ReadonlyMap<string, string>): Done[] =>
  [...Map.groupBy(entries, shownAs)].map(([key, some]) => ({
    key,
    name: names.get((some[0] as Entry).id) ?? '',
    did: didWords(some),
    entries: some,
  }));

/** Results of what was received since `since`. */
export const resultsSince = async (db: PersonDb, since: string): Promise<Result[]> => {
  const received = (await db.settled.where('settled_at').above(since).toArray()).filter((e) => e.outcome !== 'discarded');
  const byKind = Map.groupBy(received, (e) => placeOfLane(e.lane).kind);
  return (await Promise.all([...byKind.values()].map(async (some) => (await wordsOf((some[0] as Entry).lane)?.results?.(db, some)) ?? []))).flat();
};
