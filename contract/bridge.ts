import * as z from 'zod/mini';
import { ScormManifest } from '#contract/entities/package.ts';
import { H5pPlace, ItemId, packageWorkLimitBytes, ScormFacts, Statement } from '#contract/entities/package-work.ts';
import { Count, Hash, Id } from '#contract/entities/fields.ts';

/**
 * The messages between the app and a player on the content origin. The app hands the player one end of a message channel and listens to
 * nothing else. What arrives is untrusted: it is checked for shape, size and rate, and can only concern this attempt.
 */
export const bridgeLimits = {
  /** Bytes of one message, as JSON: the work of a session and its envelope. */
  messageBytes: packageWorkLimitBytes + 100_000,
  /** The deepest nesting that every parser on the way accepts. */
  depth: 300,
  /** Messages per second; of those above the limit only the newest of each kind is processed, a second later. */
  messagesPerSecond: 50,
  /** Messages with an activity's statements that may wait for that second. Those beyond are dropped, and the player is told. */
  reportsWaiting: 1000,
} as const;

/** How a person left an item: what the run-time resumes from. `seconds`: the total of all earlier sessions. */
const Before = z.object({ cmi: z.record(z.string(), z.string()), seconds: Count });

/** Messages of the app. `open` shows an item in a session of that name, resuming from `before`. */
const activity = {
  type: z.literal('activity'),
  tree: Hash,
  item_id: ItemId,
  session_id: Id,
  title: z.string(),
  /** Where the person left it. */
  state: z.nullable(z.string()),
  /** Messages sent while the tab is closing are encrypted with this key (base64) and kept until the app asks for them. */
  key: z.string(),
};
export const ToPlayer = z.discriminatedUnion('type', [
  /** Shows an H5P activity. */
  z.object(activity),
  /** `course` if the course's own rules decide what comes next (`isSequenced`): its overall session, and how it was left. */
  z.object({
    type: z.literal('play'),
    tree: Hash,
    manifest: ScormManifest,
    learner: z.object({ id: z.string(), name: z.string() }),
    course: z.nullable(z.object({ session_id: Id, before: z.nullable(Before), key: z.string() })),
  }),
  /** Requests a navigation step in such a course; the player answers with `course` what to open, and the app opens it with `open`. */
  z.object({ type: z.literal('step'), to: z.enum(['start', 'forward', 'back', 'activity']), item_id: z.nullable(ItemId) }),
  z.object({ type: z.literal('open'), item_id: ItemId, session_id: Id, before: z.nullable(Before), key: z.string() }),
  /** The app has stored the session's messages up to this tick: the player need not keep them. */
  z.object({ type: z.literal('kept'), session_id: Id, ticks: Count }),
  /** The session's last message could not be stored here: the package gets an error until something is stored again. */
  z.object({ type: z.literal('not-kept'), session_id: Id }),
  /** Ends the item that is open; the player answers with `closed` after its last message. */
  z.object({ type: z.literal('close') }),
]);
export type ToPlayer = z.infer<typeof ToPlayer>;

/** The state of a SCORM item's session. */
const ScormWord = z.object({ item_id: ItemId, session_id: Id, facts: ScormFacts });
/** What a session of an H5P activity has reported since its last message, and the person's position, if it changed. `ticks` counts messages. */
const H5pWord = z.object({
  item_id: ItemId,
  session_id: Id,
  ticks: Count,
  statements: z.array(Statement).check(z.maxLength(5000)),
  state: z.nullable(H5pPlace),
});
/** What a session reported while its tab was closing. */
export const LastWord = z.union([ScormWord, H5pWord]);
export type LastWord = z.infer<typeof LastWord>;

/**
 * A last message as stored on the content origin, where other packages can read and write: encrypted with the session's key, which only
 * the app and the player have had. `ticks` distinguishes it from an older one.
 */
export const SealedWord = z.object({ session_id: Id, ticks: Count, sealed: z.string() });
export type SealedWord = z.infer<typeof SealedWord>;
/** The context to which the encryption of a last message is bound. */
export const lastWordPlace = (sessionId: string): string => `last-word:${sessionId}`;

/** Messages of the player. `final` marks what must be stored immediately: the package has asked for it, or has ended. */
export const FromPlayer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('facts'), ...ScormWord.shape, final: z.boolean() }),
  z.object({ type: z.literal('statements'), ...H5pWord.shape }),
  /** The height of an activity in pixels, to which the app sets the frame. */
  z.object({ type: z.literal('height'), height: Count }),
  /** What was reported while a tab was closing, earlier: of any attempt of anybody on this device. */
  z.object({ type: z.literal('left'), ...SealedWord.shape }),
  z.object({ type: z.literal('opened'), item_id: ItemId }),
  /** The position in a sequenced course: what to open (null: unchanged), whether it has ended, and where the person may go. */
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

/** The first message, from window to window: it transfers the player's end of the channel. */
export const greeting = 'lantern-player';

/** Requests to the downloader on the content origin, which stores packages for offline use. The answer has the same `id`. */
export const ToKeeper = z.union([
  z.object({ id: Count, ask: z.enum(['keep', 'stop', 'has', 'check', 'drop']), tree: Hash }),
  /** Deletes everything on the content origin except these packages, the players and last reports. */
  z.object({ id: Count, ask: z.literal('tidy'), trees: z.array(Hash) }),
  z.object({ type: z.literal('kept'), session_id: Id, ticks: Count }),
]);
export type ToKeeper = z.infer<typeof ToKeeper>;
/**
 * `bytes` reports progress. `done` ends it: true or false answers `has`; a number says how many damaged or missing files were removed.
 * `failed` gives the reason if it ended otherwise.
 */
export const FromKeeper = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('left'), ...SealedWord.shape }),
  z.object({ type: z.literal('bytes'), id: Count, bytes: Count }),
  z.object({ type: z.literal('done'), id: Count, result: z.union([z.boolean(), Count]) }),
  z.object({ type: z.literal('failed'), id: Count, why: z.enum(['unreachable', 'full', 'damaged', 'stopped']) }),
]);
export type FromKeeper = z.infer<typeof FromKeeper>;
