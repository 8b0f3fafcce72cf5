import type { Table } from 'dexie';
import type { CopyOf, Kind } from '#contract/kinds.ts';
import type { Result } from '#src/api/transport.ts';
import type { Entry, ServerCopy } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** An entry as it is sent: brought up to date, in the words of the contract. */
export type Sent = { id: string; version: number; at: string; command: string; args: unknown; base_rev?: number; skew_ms?: number };

/** Of a thing that travels in parts: whether some got through, and whether it goes on in the next round. */
export type Partied = { gotOn?: boolean; more?: boolean };

/** What the engine has to know of one kind of thing that people change, to send, settle and merge its entries. */
export type Lane<C extends ServerCopy = ServerCopy> = {
  /** How many entries one request carries. */
  atOnce: number;
  /** It carries files: what people wrote does not wait for them, and they are kept shorter once the server has them. */
  heavy?: true;
  send(id: string, changes: readonly Sent[], headers: Record<string, string>): Promise<Result<C> & Partied>;
  /** The stores that its server copy lies in. */
  tables(db: PersonDb): Table[];
  /**
   * Takes the server's copy into those stores, inside a transaction over them. What the device did and has not sent
   * stays: `left` are the entries of this thing that still wait.
   */
  take(db: PersonDb, copy: C, left: readonly Entry[]): Promise<void>;
};
export type LaneOf<K extends Kind> = Lane<CopyOf<K>>;

/**
 * A lane is named `kind:id`, or `kind:id/part` where a part of the thing can conflict by itself and must not hold up the
 * rest: which session of a package is gone on with, what counts for a criterion.
 */
export const laneName = (kind: Kind, id: string, part?: string): string => `${kind}:${id}${part === undefined ? '' : `/${part}`}`;

/** The kind and the id that a lane belongs to. */
export const placeOfLane = (lane: string): { kind: string; id: string } => {
  const at = lane.indexOf(':');
  return { kind: lane.slice(0, at), id: lane.slice(at + 1).split('/')[0] as string };
};

/** What a registry has for a lane, or undefined where this release knows no such kind. */
export const ofKind = <T>(registry: Record<Kind, T>, lane: string): T | undefined => {
  const { kind } = placeOfLane(lane);
  return Object.hasOwn(registry, kind) ? registry[kind as Kind] : undefined;
};

/** The entries of everything that belongs to the same thing as `lane`. */
export const entriesOfThing = (db: PersonDb, lane: string): Promise<Entry[]> => {
  const { kind, id } = placeOfLane(lane);
  return db.outbox.where('lane').startsWith(`${kind}:${id}`).toArray();
};
