import { packageWorkLimitBytes } from '#contract/entities/package-work.ts';
import { jsonBytes } from '#contract/rules/bytes.ts';
import type { RunTime } from './run-time.ts';

/** The calls and error codes for a value that cannot be stored: general set and commit failures. */
const calls = {
  API: { set: 'LMSSetValue', commit: 'LMSCommit', cannotSet: '101', cannotCommit: '101' },
  API_1484_11: { set: 'SetValue', commit: 'Commit', cannotSet: '351', cannotCommit: '391' },
} as const;

type Call = (...args: string[]) => string;
type Api = Record<string, Call> & { lastErrorCode: string };
type Limited = {
  /** Maximum bytes (JSON in UTF-8) of a session. */
  limit?: number;
  /** Whether the last report was saved; false from a failure until the next success. */
  isKept: () => boolean;
  /** Called once, when the first value is refused. */
  full: () => void;
};

/** Quotes, colon and comma not included in `jsonBytes` of name and value. */
const separators = 2;

const limited = new WeakSet<object>();
/**
 * Tells a SCO immediately what cannot be stored: a value beyond the limit is not set, and a commit fails while the device could
 * not save the last one.
 */
export const keepWithinLimit = (runTime: Pick<RunTime, 'name' | 'api' | 'cmi'>, { limit = packageWorkLimitBytes, isKept, full }: Limited): void => {
  const api = runTime.api as Api;
  // A sequenced course uses one API for all items.
  if (limited.has(api)) return;
  limited.add(api);
  const { set, commit, cannotSet, cannotCommit } = calls[runTime.name];
  const [setValue, commitAll] = [api[set] as Call, api[commit] as Call];
  /** An upper bound of the data's size, exact if nothing was set since counting. */
  let bytes = limit;
  let exact = false;
  let isReported = false;
  api[set] = (name, value) => {
    const more = jsonBytes(String(name)) + jsonBytes(String(value)) + separators;
    if (bytes + more > limit && !exact) {
      bytes = jsonBytes(runTime.cmi());
      exact = true;
    }
    if (bytes + more > limit) {
      api.lastErrorCode = cannotSet;
      if (!isReported) full();
      isReported = true;
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
