import type { Entry } from '#src/offline/ports.ts';

/** What happened, in the words of somebody who was not there. */
export const explain = (entry: Entry): string => {
  switch (entry.trouble?.code) {
    case 'quiz_try_taken':
      return 'You handed this quiz in on another device first. That one counts. The answers you gave here are kept.';
    case 'no_tries_left':
      return 'The tries for this quiz were used up on another device. The answers you gave here are kept.';
    case 'attempt_closed':
      return 'The course was started again on another device before this arrived. What you did here is kept.';
    case 'resume_elsewhere':
      return 'You went on with this on another tablet too. What you did on both counts, and your time is added up. Choose where to go on.';
    case 'decided_elsewhere':
      return 'Somebody else has decided on this too, before yours arrived. Both records are kept. Choose which decision counts.';
    case 'marked_elsewhere':
      return 'Somebody else, or you on another tablet, noted something else of this person. Both are kept. Choose what counts.';
    case 'recipient_gone':
      return 'This person has left, or you can no longer write to them. Your message is kept here.';
    case 'prerequisite_missing':
      return 'Another course has to be completed before this one. What you did here is kept: complete the other one, then try again.';
    case 'forbidden':
      return 'You no longer have permission for this. Ask your manager. What you did here is kept.';
    case 'not_yours':
      return 'This was saved in the name of somebody else, whose course you had open. It cannot be sent from your account, and signing in again does not change that. You can export it, and set it aside: it stays in the archive of this tablet.';
    case 'cannot_be_sent':
      return 'The server fails at this again and again, although it takes everything else. Nothing is wrong with your connection. It is kept here, and whoever looks after the devices and the server sees that this cannot be received. You can try again, export it, or set it aside: it then stays in the archive of this tablet.';
    case 'not_found':
      return 'What this belongs to is no longer there, or you may no longer see it. What you did here is kept. Ask your manager.';
    default:
      return entry.trouble?.message ?? 'The server could not accept this. It is kept here.';
  }
};

const dayMs = 86_400_000;

/** What a waiting entry waits for, in a few words; null where it only waits for its turn. */
export const waitsFor = (entry: Entry, all: readonly Entry[], now = Date.now()): string | null => {
  const before = all.find((e) => e.n < entry.n && e.lane === entry.lane && e.state === 'needs-person');
  if (before) return `the question about “${before.sentence}”`;
  const other = all.find((e) => entry.dependsOn.includes(e.id) && e.lane !== entry.lane);
  if (other) return `“${other.sentence}” to be received first`;
  if (entry.tries > 0 && now - Date.parse(entry.at) > dayMs) return 'the server, for more than a day: show this to your manager';
  if (entry.state === 'sending') return null;
  return entry.nextAt > now ? 'the next try' : null;
};
