import { placeOfLane } from '#src/offline/kinds/lane.ts';
import type { Entry } from '#src/offline/ports.ts';

/** Commands with which a package or an activity stores its state: together they are one piece of work of its person. */
const workOfItem = new Set<string>(['attempt.scorm_commit', 'attempt.scorm_resume', 'attempt.h5p_statements', 'attempt.h5p_state']);

const nameOf = ({ id, lane, command, args, mergeKey }: Pick<Entry, 'id' | 'lane' | 'command' | 'args' | 'mergeKey'>): string =>
  workOfItem.has(command) ? `${placeOfLane(lane).id} ${String((args as { item_id?: unknown } | null)?.item_id)}` : (mergeKey ?? id);

/** Counts what a person did, and not what the device wrote for it: a page twice is one page, a package with all its reports one. */
export const countOfWork = (entries: readonly Pick<Entry, 'id' | 'lane' | 'command' | 'args' | 'mergeKey'>[]): number =>
  new Set(entries.map(nameOf)).size;
