import * as z from 'zod/mini';
import { ScormManifest } from '#contract/entities/package.ts';
import { H5pPlace, ItemId, packageWorkLimitBytes, ScormFacts, Statement } from '#contract/entities/package-work.ts';
import { Count, Hash, Id } from '#contract/entities/fields.ts';

/**
 * What the app and a player on the content origin say to each other. The app hands the player one end of a channel and
 * listens to nothing else; what comes is another's word: checked for shape, size and rate, and about this attempt only.
 */
export const bridgeLimits = {
  /** Bytes of one message, as JSON: the work of a session, and what stands around it. */
  messageBytes: packageWorkLimitBytes + 100_000,
  /** How deep a message may be nested: every reader on its way takes that. */
  depth: 300,
  /** Messages in a second; of what is beyond only the newest of each kind is heard, a second later. */
  messagesPerSecond: 50,
  /** Messages with an activity's reports that may wait for that second. What comes beyond is not taken, and that is said. */
  reportsWaiting: 1000,
} as const;

/** How a person left an item: what the run-time goes on with. `seconds` are those of all sessions before. */
const Before = z.object({ cmi: z.record(z.string(), z.string()), seconds: Count });

/** The app's words. `open` shows an item in a session of that name, and goes on with what was `before`. */
const activity = {
  type: z.literal('activity'),
  tree: Hash,
  item_id: ItemId,
  session_id: Id,
  title: z.string(),
  /** Where the person left it. */
  state: z.nullable(z.string()),
  /** What is said while the tab is being closed is sealed with this key (base64), and kept until the app asks for it. */
  key: z.string(),
};
export const ToPlayer = z.discriminatedUnion('type', [
  /** Shows an H5P activity. */
  z.object(activity),
  /** `course` where the rules of the course decide what comes next (`isSequenced`): its own session, and how it was left. */
  z.object({
    type: z.literal('play'),
    tree: Hash,
    manifest: ScormManifest,
    learner: z.object({ id: z.string(), name: z.string() }),
    course: z.nullable(z.object({ session_id: Id, before: z.nullable(Before), key: z.string() })),
  }),
  /** Asks for a step in such a course; what is to be opened then is said by `course`, and opened by `open`. */
  z.object({ type: z.literal('step'), to: z.enum(['start', 'forward', 'back', 'activity']), item_id: z.nullable(ItemId) }),
  z.object({ type: z.literal('open'), item_id: ItemId, session_id: Id, before: z.nullable(Before), key: z.string() }),
  /** The app has what a session said up to this tick: it need not be kept for it any more. */
  z.object({ type: z.literal('kept'), session_id: Id, ticks: Count }),
  /** What a session said last could not be kept here: the package is told so when it asks, until something is kept again. */
  z.object({ type: z.literal('not-kept'), session_id: Id }),
  /** Ends the item that is open; answered with `closed` when its last word is said. */
  z.object({ type: z.literal('close') }),
]);
export type ToPlayer = z.infer<typeof ToPlayer>;

/** What a session of a SCORM item has come to. */
const ScormWord = z.object({ item_id: ItemId, session_id: Id, facts: ScormFacts });
/** What a session of an H5P activity has reported since its last word, and where the person is in it, if that is new. `ticks` counts its words. */
const H5pWord = z.object({
  item_id: ItemId,
  session_id: Id,
  ticks: Count,
  statements: z.array(Statement).check(z.maxLength(5000)),
  state: z.nullable(H5pPlace),
});
/** What a session said while its tab was being closed. */
export const LastWord = z.union([ScormWord, H5pWord]);
export type LastWord = z.infer<typeof LastWord>;

/**
 * A last word as it lies on the content origin, where other packages can read and write: sealed with the key of its session,
 * which only the app and the player have had. `ticks` tells it from an older one.
 */
export const SealedWord = z.object({ session_id: Id, ticks: Count, sealed: z.string() });
export type SealedWord = z.infer<typeof SealedWord>;
/** What the seal of a last word is bound to. */
export const lastWordPlace = (sessionId: string): string => `last-word:${sessionId}`;

/** The player's words. `final` marks what must be kept at once: the package has asked for it, or has ended. */
export const FromPlayer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('facts'), ...ScormWord.shape, final: z.boolean() }),
  z.object({ type: z.literal('statements'), ...H5pWord.shape }),
  /** How high an activity is, in pixels: the app makes room for it. */
  z.object({ type: z.literal('height'), height: Count }),
  /** What was said while a tab was being closed, at an earlier time: of any attempt of anybody on this device. */
  z.object({ type: z.literal('left'), ...SealedWord.shape }),
  z.object({ type: z.literal('opened'), item_id: ItemId }),
  /** Where a course with rules is now: what is to be opened, null where that stays; whether it has ended; and where one may go. */
  z.object({
    type: z.literal('course'),
    show: z.nullable(ItemId),
    ended: z.boolean(),
    forward: z.boolean(),
    back: z.boolean(),
    choices: z.array(ItemId).check(z.maxLength(10_000)),
  }),
  z.object({ type: z.literal('closed') }),
  z.object({
    type: z.literal('problem'),
    problem: z.enum(['missing', 'blocked', 'script', 'too-large', 'unheard']),
    detail: z.string().check(z.maxLength(500)),
  }),
]);
export type FromPlayer = z.infer<typeof FromPlayer>;

/** The first word, from window to window: the player's half of the channel comes with it. */
export const greeting = 'lantern-player';

/** What the app asks of the keeper on the content origin: packages for use without a network. `id` is answered with. */
export const ToKeeper = z.union([
  z.object({ id: Count, ask: z.enum(['keep', 'stop', 'has', 'check', 'drop']), tree: Hash }),
  z.object({ type: z.literal('kept'), session_id: Id, ticks: Count }),
]);
export type ToKeeper = z.infer<typeof ToKeeper>;
/**
 * `bytes` tells of progress; `done` ends: true and false answer `has`, a number says how many files were damaged or missing
 * and have been taken out. `failed` says why it ended otherwise.
 */
export const FromKeeper = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('left'), ...SealedWord.shape }),
  z.object({ type: z.literal('bytes'), id: Count, bytes: Count }),
  z.object({ type: z.literal('done'), id: Count, result: z.union([z.boolean(), Count]) }),
  z.object({ type: z.literal('failed'), id: Count, why: z.enum(['unreachable', 'full', 'damaged', 'stopped']) }),
]);
export type FromKeeper = z.infer<typeof FromKeeper>;
