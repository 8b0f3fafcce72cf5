import type { ChangeOutcome, Resolution } from '#contract/commands/change.ts';
import type { Command, CopyOf, Kind } from '#contract/kinds.ts';
import type { ErrorCode } from '#contract/errors.ts';

/** What the engine needs from outside. Tests hand in others; nothing in the engine reads a clock or a network itself. */

/** Where an entry is. `waiting` also covers an entry whose answer was lost: it is sent again with the same id. */
export type EntryState = 'waiting' | 'sending' | 'needs-person';

/** What the server has of the thing that an entry belongs to. */
export type ServerCopy = CopyOf<Kind>;

/** Why an entry needs the person, with everything needed to resolve it without the network. */
export type Trouble = {
  code: ErrorCode | 'unreadable' | 'not_yours' | 'cannot_be_sent';
  message: string;
  resolution: Resolution[];
  current: ServerCopy | null;
  at: string;
};

/** One thing a person did, kept until the server has it. It is a command, not a request. */
export type Entry = {
  /** The only order: a counter from the same transaction. */
  n: number;
  /** Minted once, stored before the first byte is sent; the server knows the effect by it. */
  id: string;
  lane: string;
  command: Command;
  version: 1;
  args: unknown;
  actor: string;
  actingAs: string | null;
  dependsOn: string[];
  baseRev: number | null;
  /** The device's clock when it happened, corrected by what is known of its error. ISO, UTC. */
  at: string;
  skewMs: number;
  state: EntryState;
  tries: number;
  /** Not before this moment, milliseconds since 1970. */
  nextAt: number;
  /** Since when (milliseconds since 1970) and how often the server failed at it, where it did: answers of 5xx, not silences. */
  failing?: { since: number; times: number };
  trouble: Trouble | null;
  /** What the person did, in their words. */
  sentence: string;
  /** Unsent entries with the same key are one: the newer replaces or joins the older. Null where nothing may be merged. */
  mergeKey: string | null;
};
export type NewEntry = Pick<Entry, 'id' | 'lane' | 'command' | 'args' | 'sentence' | 'mergeKey' | 'at'> & {
  dependsOn?: string[];
  baseRev?: number | null;
  /** The place of an entry that this one is put in place of. */
  n?: number;
  /** How it is joined to an unsent one of the same key. Not kept: what is on the disk is never joined by itself. */
  join?: Join;
};
/** What of an entry changes where a newer one is joined to it. */
export type Joined = Pick<Entry, 'args' | 'at' | 'sentence'>;
export type Join = (older: Entry, newer: NewEntry) => Joined;

/** The outcome of sending one lane's entries together. */
export type Answer =
  /** `more`: it got on, and goes on in the next round. */
  | { kind: 'done'; outcomes: ChangeOutcome[]; current: ServerCopy; serverTime: string | null; more?: boolean }
  | { kind: 'trouble'; outcomes: ChangeOutcome[]; entryId: string | null; trouble: Trouble }
  /** `gotOn`: a part of it was received before the line broke; that is no reason to wait longer than the first time. */
  | { kind: 'later'; afterMs: number | null; reason: 'unreachable' | 'busy' | 'failing'; gotOn?: boolean }
  | { kind: 'sign-in' }
  | { kind: 'restricted' }
  | { kind: 'other-person' };

export type Transport = {
  send(lane: string, actor: string, entries: readonly Entry[]): Promise<Answer>;
  /** How many entries of this lane one request carries. */
  atOnce?(lane: string): number;
  /** How many lanes this line carries side by side, where it is not the usual few. */
  width?(): number;
  /** Whether a lane carries files: they go after everything else, and few at a time. */
  isHeavy?(lane: string): boolean;
};

export type Store = {
  /** Whose store it is: an entry in another's name can never be sent from it. */
  owner: string;
  /** Entries that may be sent now: the head of every lane up to the first one that may not, in order, in lanes. */
  sendable(now: number): Promise<Map<string, Entry[]>>;
  /**
   * Marks entries as under way and answers them as they are now, in one transaction: what was joined to them since they
   * were chosen is sent, and from here on nothing is joined to them. One that was set aside in the meantime holds up what
   * is behind it in its lane.
   */
  markSending(ids: readonly string[]): Promise<Entry[]>;
  /** Takes what was applied out of the outbox and writes the server's copy, in one transaction. */
  settle(lane: string, outcomes: readonly ChangeOutcome[], current: ServerCopy | null, at: string): Promise<void>;
  /** Sets an entry aside for the person; nothing behind it in its lane is sent. */
  park(id: string, trouble: Trouble): Promise<void>;
  /** Puts entries back to wait. */
  defer(ids: readonly string[], nextAt: number): Promise<void>;
  /** Notes that the server failed at these. Answers them as they are then. */
  noteFailing(ids: readonly string[], now: number): Promise<Entry[]>;
  /** Whether the server takes other things than this lane's: something was received since, or nothing else could go. */
  othersPass(lane: string, since: number, now: number): Promise<boolean>;
  /** Lets everything that waits be sent at once: the line may be back. */
  wake(): Promise<void>;
  /** When the next waiting entry may be sent, or null when none waits. */
  nextAt(now: number): Promise<number | null>;
};
export type Clock = { now(): number };
export type Random = { next(): number };
/**
 * Runs `work` while no other tab or worker of this person does; answers false at once when one does. `work` calls `beat`
 * as it goes on: a holder that has not for a while is taken to be frozen, and its lock is taken over.
 */
export type Lock = { tryHold(work: (beat: () => Promise<void>) => Promise<void>): Promise<boolean> };
/**
 * The first word with the server after a silence: whether it is there, whose session it is, and whether it still knows
 * what it once acknowledged. `again` entries that it had forgotten wait in the outbox once more.
 */
export type Greeting = { kind: 'ok'; again: number } | Extract<Answer, { kind: 'later' | 'sign-in' | 'restricted' | 'other-person' }>;
export type Greeter = {
  greet(): Promise<Greeting>;
  /** Says how the device is where that is not what the server was last told. Never throws: nothing depends on it. */
  report?(): Promise<void>;
};
/** `failing`: the server is there, and cannot take what waits. `restricted`: the organisation has closed its access for now. */
export type ReplayStatus = 'idle' | 'sending' | 'unreachable' | 'failing' | 'sign-in' | 'restricted' | 'other-person';
export type Announcer = { status(status: ReplayStatus): void };
export type Ports = { store: Store; transport: Transport; greeter: Greeter; clock: Clock; random: Random; lock: Lock; announcer: Announcer };
