import type { RefusalOfAll } from '#contract/kinds.ts';
import { choicesOf, wordsOf } from '#src/offline/kinds/registry.ts';
import type { Sides } from '#src/offline/kinds/words.ts';
import { goingWith } from '#src/offline/outbox/resolve.ts';
import type { Entry, Trouble } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** Explanations common to all kinds, from the server and from this device. */
const ofAll: Record<RefusalOfAll | Exclude<Trouble['code'], keyof typeof import('#contract/errors.ts').errors>, string> = {
  forbidden: 'You no longer have permission for this. Ask your manager. What you did here is kept.',
  not_found: 'What this belongs to is no longer there, or you may no longer see it. What you did here is kept. Ask your manager.',
  invalid_input: 'The server cannot accept this as it was saved. It is kept here: show it to your manager.',
  malformed: 'The server could not read this. It is kept here: show it to your manager.',
  idempotency_mismatch: 'The server has had this before with other content, and keeps what it had first. Yours is kept here.',
  body_too_large: 'This is too large to send. It is kept here: you can export it.',
  unsupported_media: 'The server does not take this kind of content. It is kept here: you can export it.',
  rev_mismatch: 'This was changed somewhere else in the meantime. What you did here is kept.',
  unreadable: 'This could not be read back. It has been set aside.',
  not_yours:
    'This was saved in the name of somebody else, whose course you had open. It cannot be sent from your account, and signing in again does not change that. You can export it, and set it aside: it stays in the archive of this device.',
  cannot_be_sent:
    'The server fails at this again and again, although it takes everything else. Nothing is wrong with your connection. It is kept here, and the people who look after the devices and the server see that this cannot be received. You can try again, export it, or set it aside: it then stays in the archive of this device.',
};

/** What happened, for someone who was not there. */
export const explain = ({ lane, trouble }: Entry): string =>
  wordsOf(lane)?.refusals[trouble?.code ?? ''] ??
  (ofAll as Partial<Record<string, string>>)[trouble?.code ?? ''] ??
  trouble?.message ??
  'The server could not accept this. It is kept here.';

/** The sides of an entry that needs the person; null if there is nothing to compare. `all`: the whole outbox. */
export const sidesOf = (entry: Entry, all: readonly Entry[] = []): Sides | null =>
  wordsOf(entry.lane)?.sides(
    entry,
    goingWith(entry, all).filter((e) => e.command === entry.command),
  ) ?? null;

/** What is set aside together with an entry, in words, said before it is; null if nothing is. */
export const asideWith = (entry: Entry, all: readonly Entry[]): string | null => {
  const going = [...new Set(goingWith(entry, all).map((e) => `“${e.sentence}”`))];
  if (going.length === 0) return null;
  const named = going.slice(0, mostNamed).join(', ') + (going.length > mostNamed ? ` and ${going.length - mostNamed} more` : '');
  const kept = 'It stays in the archive of this device.';
  return sidesOf(entry, all)?.keepMine
    ? `If theirs counts, this is set aside too: ${named}. ${kept}`
    : `What is set aside with it: ${named}. ${kept}`;
};
/** What handing the same work in again costs, said before it is done; null if nothing. */
export const costOf = async (db: PersonDb, entry: Entry): Promise<string | null> => (await choicesOf(entry.lane)?.costOf?.(db, entry)) ?? null;

/** How many of the changes that go with one are named. */
const mostNamed = 5;

const dayMs = 86_400_000;

/** What a waiting entry is waiting for, in a few words; null if only for its turn. */
export const waitsFor = (entry: Entry, all: readonly Entry[], now = Date.now()): string | null => {
  const before = all.find((e) => e.n < entry.n && e.lane === entry.lane && e.state === 'needs-person');
  if (before) return `the question about “${before.sentence}”`;
  const other = all.find((e) => entry.dependsOn.includes(e.id) && e.lane !== entry.lane);
  if (other) return `“${other.sentence}” to be received first`;
  if (entry.tries > 0 && now - Date.parse(entry.at) > dayMs) return 'the server, for more than a day: show this to your manager';
  if (entry.state === 'sending') return null;
  return entry.nextAt > now ? 'the next try' : null;
};
