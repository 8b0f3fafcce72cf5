import type { ArgsOf } from '#contract/commands/commands.ts';
import { mergeProgress } from '#contract/rules/merge-progress.ts';
import { mergeScormSession } from '#contract/rules/merge-scorm.ts';
import type { Entry, NewEntry } from '#src/offline/ports.ts';

/** Only what has never been sent may still change: once sent, the server may know it as it was. */
export const mayMerge = (entry: Entry): boolean => entry.state === 'waiting' && entry.tries === 0;

/**
 * Joins a newer fact into an unsent one of the same key. Progress never moves down; a session of a package keeps what it
 * reached; an answer and a place in an activity are the newest.
 */
export const mergeEntry = (older: Entry, newer: NewEntry): Pick<Entry, 'args' | 'at' | 'sentence'> => {
  if (newer.command === 'attempt.scorm_commit') {
    const { item_id, session_id, ...facts } = newer.args as ArgsOf<'attempt.scorm_commit'>;
    const joined = mergeScormSession(older.args as ArgsOf<'attempt.scorm_commit'>, facts);
    return { args: { item_id, session_id, ...joined }, at: newer.at, sentence: newer.sentence };
  }
  if (newer.command !== 'attempt.progress') return { args: newer.args, at: newer.at, sentence: newer.sentence };
  const a = older.args as ArgsOf<'attempt.progress'>;
  const b = newer.args as ArgsOf<'attempt.progress'>;
  const { topic_id, state, percent, seconds } = mergeProgress({ ...a, completed_at: null }, { ...b, completed_at: null });
  // The moment of completion is the first one, not the last tick.
  return {
    args: { topic_id, state, percent, seconds },
    at: a.state === 'completed' ? older.at : newer.at,
    sentence: b.state === 'completed' || a.state !== 'completed' ? newer.sentence : older.sentence,
  };
};
