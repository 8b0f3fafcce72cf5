import type { ArgsOf } from '#contract/kinds.ts';
import { mergeProgress } from '#contract/rules/merge-progress.ts';
import { mergeScormSession } from '#contract/rules/merge-scorm.ts';
import type { Join } from '#src/offline/ports.ts';

/** Progress never decreases, and the time of completion is the first, not the last. */
export const joinProgress: Join = (older, newer) => {
  const a = older.args as ArgsOf<'attempt.progress'>;
  const b = newer.args as ArgsOf<'attempt.progress'>;
  const { topic_id, state, percent, seconds } = mergeProgress({ ...a, completed_at: null }, { ...b, completed_at: null });
  return {
    args: { topic_id, state, percent, seconds },
    at: a.state === 'completed' ? older.at : newer.at,
    sentence: b.state === 'completed' || a.state !== 'completed' ? newer.sentence : older.sentence,
  };
};

/** A package session keeps what it has reached. */
export const joinScorm: Join = (older, { args, at, sentence }) => {
  const { item_id, session_id, ...facts } = args as ArgsOf<'attempt.scorm_commit'>;
  return { args: { item_id, session_id, ...mergeScormSession(older.args as ArgsOf<'attempt.scorm_commit'>, facts) }, at, sentence };
};
