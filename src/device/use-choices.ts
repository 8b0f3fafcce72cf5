import type { Kind } from '#contract/kinds.ts';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { asideWith, explain, sidesOf } from '#src/offline/kinds/explain.ts';
import { laneName } from '#src/offline/kinds/lane.ts';
import type { Sides } from '#src/offline/kinds/words.ts';
import { keepMine, keepTheirs } from '#src/offline/outbox/resolve.ts';

/** Entries of one subject that need a decision. If both versions are known, either can be chosen immediately. */
export type OpenChoice = {
  id: string;
  lane: string;
  sentence: string;
  why: string;
  sides: Sides | null;
  /** What goes with it if theirs counts, in words. */
  aside: string | null;
  mine: () => Promise<void>;
  theirs: () => Promise<void>;
};

export const useChoices = (kind: Kind, thing: string): OpenChoice[] => {
  const db = usePersonDb();
  return (
    useLiveQuery(async () => {
      const entries = await db.outbox.where('lane').startsWith(laneName(kind, thing)).toArray();
      return entries
        .filter((e) => e.state === 'needs-person')
        .map((e): OpenChoice => {
          const choices = e.trouble?.resolution ?? [];
          const sides = choices.includes('keep_mine') && choices.includes('keep_theirs') ? sidesOf(e, entries) : null;
          return {
            ...{ id: e.id, lane: e.lane, sentence: e.sentence, why: explain(e), sides, aside: asideWith(e, entries) },
            ...{ mine: () => keepMine(db, e), theirs: () => keepTheirs(db, e) },
          };
        });
    }, [db, kind, thing]) ?? []
  );
};
