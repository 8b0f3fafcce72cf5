import Dexie from 'dexie';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';

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
    return { ...args, try_no: (current?.submissions ?? []).filter((s) => s.quiz_id === args.quiz_id).length + 1 };
  },
  showNewTry: (db, { lane }, { id, at, args }) => {
    const { quiz_id, try_no } = args as ArgsOf<'attempt.submit_quiz'>;
    return db.quizSubmissions.put({ id, attempt_id: placeOfLane(lane).id, quiz_id, try_no, submitted_at: at, graded: null });
  },
  forget: async (db, attemptId) => {
    await db.attempts.delete(attemptId);
    for (const table of [db.topicProgress, db.quizAnswers, db.quizSubmissions, db.scormSessions])
      await table.where('attempt_id').equals(attemptId).delete();
    for (const table of [db.scormResumes, db.h5pStates])
      await table.where('[attempt_id+item_id]').between([attemptId, Dexie.minKey], [attemptId, Dexie.maxKey]).delete();
  },
};
