import type { Attempt } from '#contract/entities/attempt.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { forgetAttempt } from '#src/offline/kinds/attempt/lane.ts';
import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';

/** How many tries at a quiz the server has. */
const takenOf = (attempt: Attempt | null | undefined, quizId: string) => (attempt?.submissions ?? []).filter((s) => s.quiz_id === quizId).length;

export const attemptChoices: Choices = {
  takeBack: async (db, entry) => {
    if (entry.command === 'attempt.submit_quiz') await db.quizSubmissions.delete(entry.id);
  },
  between: (entry) => {
    if (entry.command !== 'attempt.scorm_resume') return null;
    const { item_id, session_id } = entry.args as ArgsOf<typeof entry.command>;
    const current = entry.trouble?.current as Attempt | null | undefined;
    return { mine: session_id, theirs: current?.scorm.find((i) => i.item_id === item_id)?.resume ?? null };
  },
  choose: (db, entry) => {
    const { item_id, session_id } = entry.args as ArgsOf<'attempt.scorm_resume'>;
    return db.scormResumes.put({ attempt_id: placeOfLane(entry.lane).id, item_id, session_id });
  },
  newTryArgs: (entry) => {
    const args = entry.args as ArgsOf<'attempt.submit_quiz'>;
    const current = entry.trouble?.current as Attempt | null | undefined;
    const shown = args.shown ?? { attempt_id: placeOfLane(entry.lane).id, try_no: args.try_no };
    return { ...args, try_no: takenOf(current, args.quiz_id) + 1, shown };
  },
  costOf: async (db, entry) => {
    if (entry.command !== 'attempt.submit_quiz') return null;
    const { quiz_id, content_version } = entry.args as ArgsOf<typeof entry.command>;
    const current = entry.trouble?.current as Attempt | null | undefined;
    const content = current && (await db.contents.get([current.content_id, content_version]));
    const most = content?.document.quizzes.find((q) => q.id === quiz_id)?.max_tries ?? 0;
    const next = takenOf(current, quiz_id) + 1;
    return `A new try is try ${next}${most > 0 ? ` of ${most}` : ''}. It is marked on the questions that you answered here.`;
  },
  begins: ({ command }) => command === 'attempt.start',
  showNewTry: (db, { lane }, { id, at, args }) => {
    const { quiz_id, try_no } = args as ArgsOf<'attempt.submit_quiz'>;
    return db.quizSubmissions.put({ id, attempt_id: placeOfLane(lane).id, quiz_id, try_no, submitted_at: at, graded: null });
  },
  forget: forgetAttempt,
};
