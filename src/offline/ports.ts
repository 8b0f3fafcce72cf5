import type { ChangeOutcome, Resolution } from '#contract/commands/change.ts';
import type { Command, CopyOf, Kind } from '#contract/kinds.ts';
import type { ErrorCode } from '#contract/errors.ts';

/** The engine's interfaces to the outside, replaced in tests. The engine itself accesses neither clock nor network. */

/** `waiting` includes entries whose answer was lost; they are sent again with the same id. */
export type EntryState = 'waiting' | 'sending' | 'needs-person';

/** The server's copy of the thing that an entry belongs to. */
export type ServerCopy = CopyOf<Kind>;

/** Why an entry needs the person, with everything needed to resolve it offline. */
export type Trouble = {
  code: ErrorCode | 'unreadable' | 'not_yours' | 'cannot_be_sent';
  message: string;
  resolution: Resolution[];
  current: ServerCopy | null;
  /** The attempt that the work belongs to, if it is another. */
  instead?: { id: string; try_no: number };
  at: string;
};

/** One change by a person, kept until the server has it. It is a command, not a request. */
export type Entry = {
  /** The position in the outbox, the only order: a counter assigned by the transaction. */
  n: number;
  /** Created once and stored before sending; the server recognises the change by it. */
  id: string;
  lane: string;
  command: Command;
  version: 1;
  args: unknown;
  actor: string;
  actingAs: string | null;
  dependsOn: string[];
  baseRev: number | null;
  /** The time of the change by the device's clock, corrected for its known error. ISO in UTC. */
  at: string;
  skewMs: number;
  state: EntryState;
  tries: number;
  /** Not sent before this time, in milliseconds since 1970. */
  nextAt: number;
  /** Server failures (5xx) on it: since when (milliseconds since 1970) and how many. */
  failing?: { since: number; times: number };
  trouble: Trouble | null;
  /** Describes the change for the person who made it. */
  sentence: string;
  /** Unsent entries with the same key are merged: the newer replaces or joins the older. Null: never merged. */
  mergeKey: string | null;
};
export type NewEntry = Pick<Entry, 'id' | 'lane' | 'command' | 'args' | 'sentence' | 'mergeKey' | 'at'> & {
  dependsOn?: string[];
  baseRev?: number | null;
  /** The position of an entry that this one replaces. */
  n?: number;
  /** How it is merged into an unsent entry with the same key. Not stored. */
  join?: Join;
};
/** The fields of an entry that merging changes. */
export type Joined = Pick<Entry, 'args' | 'at' | 'sentence'>;
export type Join = (older: Entry, newer: NewEntry) => Joined;

/** The outcome of sending one lane's entries together. */
export type Answer =
  /** `more`: part was received, and the rest continues in the next round. */
  | { kind: 'done'; outcomes: ChangeOutcome[]; current: ServerCopy; serverTime: string | null; more?: boolean }
  | { kind: 'trouble'; outcomes: ChangeOutcome[]; entryId: string | null; trouble: Trouble }
  /** `madeProgress`: part was received before the connection broke, so the wait does not increase. */
  | { kind: 'later'; afterMs: number | null; reason: 'unreachable' | 'busy' | 'failing'; madeProgress?: boolean }
  | { kind: 'sign-in' }
  | { kind: 'restricted' }
  | { kind: 'other-person' };

export type Transport = {
  send(lane: string, actor: string, entries: readonly Entry[]): Promise<Answer>;
  /** Maximum number of this lane's entries per request. */
  atOnce?(lane: string): number;
  /** Number of lanes sent in parallel, if not the default. */
  width?(): number;
  /** Whether a lane carries files, which are sent last and a few at a time. */
  isHeavy?(lane: string): boolean;
};

export type Store = {
  /** The store's person; entries in another person's name cannot be sent from it. */
  owner: string;
  /** Entries that may be sent now: the beginning of every lane, in order. */
  sendable(now: number): Promise<Map<string, Entry[]>>;
  /**
   * Marks entries as being sent and returns their current content, in one transaction: merges up to this point are included, and
   * later ones are prevented. An entry set aside meanwhile holds those behind it in its lane.
   */
  markSending(ids: readonly string[]): Promise<Entry[]>;
  /** Removes applied entries from the outbox and stores the server's copy, in one transaction. */
  settle(lane: string, outcomes: readonly ChangeOutcome[], current: ServerCopy | null, at: string): Promise<void>;
  /** Sets an entry aside for the person; nothing behind it in its lane is sent. */
  park(id: string, trouble: Trouble): Promise<void>;
  /** Postpones entries. */
  defer(ids: readonly string[], nextAt: number): Promise<void>;
  /** Counts a server failure on these entries. Returns them as updated. */
  noteFailing(ids: readonly string[], now: number): Promise<Entry[]>;
  /** Whether the server accepts other lanes: something was received since, or nothing else could be sent. */
  othersPass(lane: string, since: number, now: number): Promise<boolean>;
  /** Cancels all pauses, because the connection may be back. */
  wake(): Promise<void>;
  /** When the next entry may be sent, or null. */
  nextAt(now: number): Promise<number | null>;
};
export type Clock = { now(): number };
export type Random = { next(): number };
/**
 * Runs `work` unless another tab or worker of this person does; then returns false at once. `work` calls `beat` regularly; a
 * holder that stops doing so is considered frozen, and its lock is taken over.
 */
export type Lock = { tryHold(work: (beat: () => Promise<void>) => Promise<void>): Promise<boolean> };
/**
 * The first contact with the server after a silence: whether it can be reached, whose session it is, and whether it still knows
 * what it acknowledged. `again`: number of forgotten entries queued again.
 */
export type Greeting = { kind: 'ok'; again: number } | Extract<Answer, { kind: 'later' | 'sign-in' | 'restricted' | 'other-person' }>;
export type Greeter = {
  greet(): Promise<Greeting>;
  /** Reports the device's state if it has changed since the last report. Never throws. */
  report?(): Promise<void>;
};
/** `failing`: the server can be reached but cannot accept what waits. `restricted`: the organisation has restricted access. */
export type ReplayStatus = 'idle' | 'sending' | 'unreachable' | 'failing' | 'sign-in' | 'restricted' | 'other-person';
export type Announcer = { status(status: ReplayStatus): void };
export type Ports = { store: Store; transport: Transport; greeter: Greeter; clock: Clock; random: Random; lock: Lock; announcer: Announcer };
