import { packageWorkLimitBytes } from '#contract/entities/package-work.ts';
import { jsonBytes } from '#contract/rules/bytes.ts';
import type { RunTime } from './run-time.ts';

/** What the standards answer where a value, or all that was said, cannot be kept: a general failure to set, and to commit. */
const calls = {
  API: { set: 'LMSSetValue', commit: 'LMSCommit', cannotSet: '101', cannotCommit: '101' },
  API_1484_11: { set: 'SetValue', commit: 'Commit', cannotSet: '351', cannotCommit: '391' },
} as const;

type Call = (...args: string[]) => string;
type Api = Record<string, Call> & { lastErrorCode: string };
type Limited = {
  /** Bytes (JSON in UTF-8) that a session may hold. */
  limit?: number;
  /** Whether what was said last is kept; false from a failure to keep it until something is kept again. */
  isKept: () => boolean;
  /** Called once, when the first value is refused. */
  full: () => void;
};

/** Quotes, colon and comma are in `jsonBytes` of the two but for the last two. */
const separators = 2;

const limited = new WeakSet<object>();
/**
 * Lets a SCO know at once, by the answer to its call, what cannot be kept: a value that would take its data beyond the limit is
 * not set, and a commit is refused while the device could not save the last one.
 */
export const keepWithinLimit = (runTime: Pick<RunTime, 'name' | 'api' | 'cmi'>, { limit = packageWorkLimitBytes, isKept, full }: Limited): void => {
  const api = runTime.api as Api;
  // A course with rules has one API for all its items.
  if (limited.has(api)) return;
  limited.add(api);
  const { set, commit, cannotSet, cannotCommit } = calls[runTime.name];
  const [setValue, commitAll] = [api[set] as Call, api[commit] as Call];
  /** Never less than what the data take; exactly that where nothing was set since they were counted. */
  let bytes = limit;
  let exact = false;
  let said = false;
  api[set] = (name, value) => {
    const more = jsonBytes(String(name)) + jsonBytes(String(value)) + separators;
    if (bytes + more > limit && !exact) {
      bytes = jsonBytes(runTime.cmi());
      exact = true;
    }
    if (bytes + more > limit) {
      api.lastErrorCode = cannotSet;
      if (!said) full();
      said = true;
      return 'false';
    }
    const answer = setValue.call(api, name as string, value as string);
    bytes += more;
    exact = false;
    return answer;
  };
  api[commit] = (nothing) => {
    const answer = commitAll.call(api, nothing as string);
    if (String(answer) !== 'true' || isKept()) return answer;
    api.lastErrorCode = cannotCommit;
    return 'false';
  };
};
