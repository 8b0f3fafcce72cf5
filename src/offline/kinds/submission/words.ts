import { errors } from '#contract/errors.ts';
import { countOf } from '#src/lib/format.ts';
import { always, type Words } from '#src/offline/kinds/words.ts';

export const submissionWords: Words<'submission'> = {
  commands: {
    'submission.add': { was: 'Submitting a certificate from elsewhere', did: (n) => `${countOf(n, 'certificate')} submitted` },
    'submission.withdraw': { was: 'Withdrawing a certificate from elsewhere', did: always('withdrawn') },
  },
  refusals: {
    already_decided: errors.already_decided.message,
    unsupported_media:
      'The file cannot be opened as the picture or PDF that it is said to be. It is kept here: correct it in your training record, with another file.',
    invalid_input:
      'The dates cannot be right: the day of completion has not come yet, or the certificate ended before it. It is kept here: correct it in your training record.',
    not_found:
      'Your organisation no longer has this course, or what you submitted is no longer there. It is kept here: choose another course, or ask your manager.',
  },
  unnamed: 'A certificate from elsewhere',
  names: async (db, ids) => (await db.submissions.bulkGet(ids)).flatMap((s) => (s ? [[s.id, `Certificate for ${s.course.title}`]] : [])),
  sides: () => null,
};
