import { countOf } from '#src/lib/format.ts';
import { always, type Words } from '#src/offline/kinds/words.ts';

export const feedbackWords: Words<'feedback'> = {
  commands: {
    'feedback.rate': { was: 'Rating a course', did: always('rated') },
    'feedback.ask': { was: 'Asking about a course', did: (n) => `${countOf(n, 'question')} asked` },
    'feedback.report': { was: 'Reporting a problem with a course', did: (n) => `${countOf(n, 'problem')} reported` },
  },
  refusals: { not_found: 'This course is no longer there for you, and you had not begun it. What you wrote is kept here. Ask your manager.' },
  unnamed: 'Feedback on a course',
  names: async (db, ids) => (await db.contents.where('id').anyOf(ids).toArray()).map(({ id, document }) => [id, `Feedback on ${document.title}`]),
  sides: () => null,
};
