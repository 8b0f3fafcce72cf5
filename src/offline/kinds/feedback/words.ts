import { evaluationDays } from '#contract/entities/evaluation.ts';
import { countOf } from '#src/lib/format.ts';
import { always, type Words } from '#src/offline/kinds/words.ts';

export const feedbackWords: Words<'feedback'> = {
  commands: {
    'feedback.rate': { was: 'Rating a course', did: always('rated') },
    'feedback.ask': { was: 'Asking about a course', did: (n) => `${countOf(n, 'question')} asked` },
    'feedback.evaluate': { was: 'Saying how a training session was', did: (n) => `${countOf(n, 'training session')} rated` },
    'feedback.report': { was: 'Reporting a problem with a course', did: (n) => `${countOf(n, 'problem')} reported` },
  },
  refusals: {
    not_found:
      'This course is no longer there for you, and you had not begun it; or the register says that you were not at this session. What you wrote is kept here. Ask your manager.',
    evaluation_closed: `How a session was can be said until ${evaluationDays} days after its register was finished. That time was over. What you wrote is kept here.`,
  },
  unnamed: 'Feedback on a course',
  names: async (db, ids) => [
    ...(await db.contents.where('id').anyOf(ids).toArray()).map(({ id, document }): [string, string] => [id, `Feedback on ${document.title}`]),
    ...(await db.feedback.bulkGet(ids)).flatMap((row): [string, string][] =>
      row?.kind === 'evaluation' ? [[row.id, `How “${row.course.name}” was`]] : [],
    ),
  ],
  sides: () => null,
};
