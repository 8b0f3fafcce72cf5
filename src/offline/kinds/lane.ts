import type { Table } from 'dexie';
import type { CopyOf, Kind } from '#contract/kinds.ts';
import type { Result } from '#src/api/transport.ts';
import type { Entry, ServerCopy, Trouble } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** An entry as sent, upgraded to the current contract. */
export type Sent = {
  id: string;
  version: number;
  at: string;
  command: string;
  args: unknown;
  base_rev?: number;
  skew_ms?: number;
  clock_off_ms?: number;
};

/** For things sent in parts: whether some were received, and whether the rest continues in the next round. */
export type PartialSend = { madeProgress?: boolean; more?: boolean };

/** What the engine needs to send, settle and merge entries of one kind. */
export type Lane<C extends ServerCopy = ServerCopy> = {
  /** Maximum number of entries per request. */
  atOnce: number;
  /** Carries files: sent after other changes, and kept for less time once received. */
  heavy?: true;
  send(id: string, changes: readonly Sent[], headers: Record<string, string>): Promise<Result<C> & PartialSend>;
  /** The stores of its server copy. */
  tables(db: PersonDb): Table[];
  /**
   * Stores the server's copy, inside a transaction over those stores. Unsent changes are kept: `left` are the waiting entries of
   * this thing.
   */
  take(db: PersonDb, copy: C, left: readonly Entry[]): Promise<void>;
  /** Entries that the server's copy makes unnecessary: they are removed without asking anybody. */
  needless?(copy: C, left: readonly Entry[]): readonly Entry[];
  /** Whether the purpose of a refused entry has been fulfilled meanwhile: it is then removed without asking anybody. Inside a transaction over those stores. */
  overtaken?(db: PersonDb, refused: Entry): Promise<boolean>;
  /** Everything that waits, as entries of the thing that the refusal names; null if the person has to be asked. Inside such a transaction. */
  elsewhere?(db: PersonDb, refused: Entry, trouble: Trouble): Promise<Entry[] | null>;
};
export type LaneOf<K extends Kind> = Lane<CopyOf<K>>;

/**
 * A lane is named `kind:id`, or `kind:id/part` for a part that can conflict on its own without blocking the rest, such as the
 * session from which a package resumes, or a criterion's decision.
 */
export const laneName = (kind: Kind, id: string, part?: string): string => `${kind}:${id}${part === undefined ? '' : `/${part}`}`;

/** The kind and id of a lane. */
export const placeOfLane = (lane: string): { kind: string; id: string } => {
  const colon = lane.indexOf(':');
  return { kind: lane.slice(0, colon), id: lane.slice(colon + 1).split('/')[0] as string };
};

/** A registry's entry for a lane, or undefined if this release does not know the kind. */
export const ofKind = <T>(registry: Record<Kind, T>, lane: string): T | undefined => {
  const { kind } = placeOfLane(lane);
  return Object.hasOwn(registry, kind) ? registry[kind as Kind] : undefined;
};

/** All entries of the thing that a lane belongs to. */
export const entriesOfThing = (db: PersonDb, lane: string): Promise<Entry[]> => {
  const { kind, id } = placeOfLane(lane);
  return db.outbox.where('lane').startsWith(`${kind}:${id}`).toArray();
};
