import type { ChangeOutcome, ChangesMeta, Resolution } from '#contract/commands/change.ts';
import { errors } from '#contract/errors.ts';
import type { Result } from '#src/api/transport.ts';
import type { PartialSend } from '#src/offline/kinds/lane.ts';
import type { Answer, Entry, ServerCopy, Trouble } from '#src/offline/ports.ts';

/** The entry that a refusal is about, if it names a position (`changes.3.args…`) instead of an id. */
const entryNamedBy = (fields: Record<string, string[]> | undefined, entries: readonly Entry[]): string | null => {
  const entryKey = Object.keys(fields ?? {})
    .map((f) => /^changes\.(\d+)/.exec(f)?.[1])
    .find((n) => n !== undefined);
  return entryKey === undefined ? null : (entries[Number(entryKey)]?.id ?? null);
};

type Pause = Extract<Answer, { kind: 'later' | 'sign-in' | 'restricted' | 'other-person' }>;
/** Whether an answer only means to wait or sign in; null otherwise. */
const pauseOf = (result: Exclude<Result, { kind: 'ok' }>): Pause | null => {
  if (result.kind === 'unreachable') return { kind: 'later', afterMs: null, reason: 'unreachable' };
  const { status, error } = result;
  if (error.code === 'actor_mismatch') return { kind: 'other-person' };
  // Signing in again would not help.
  if (error.code === 'access_restricted') return { kind: 'restricted' };
  if (errors[error.code].retry === 'after-sign-in') return { kind: 'sign-in' };
  // The server is busy or failing: never the person's problem.
  if (errors[error.code].retry === 'backoff' || status >= 500 || [408, 425, 429].includes(status))
    return { kind: 'later', afterMs: result.retryAfterMs, reason: status === 429 || status === 503 ? 'busy' : 'failing' };
  return null;
};
/** Like `answerOf`, for a request without entries: any other answer is retried later. */
export const laterOrSignIn = (result: Exclude<Result, { kind: 'ok' }>): Pause =>
  pauseOf(result) ?? { kind: 'later', afterMs: null, reason: 'failing' };

/** What an answer means for the sent entries. The table is in docs/architecture.md. */
export const answerOf = (result: Result<ServerCopy> & PartialSend, entries: readonly Entry[], at: string): Answer => {
  if (result.kind === 'ok') {
    const meta = result.meta as ChangesMeta | undefined;
    const known = new Set(entries.map((e) => e.id));
    const outcomes = (meta?.outcomes ?? []).filter((o) => known.has(o.id));
    return { kind: 'done', outcomes, current: result.data, serverTime: meta?.server_time ?? null, ...(result.more ? { more: true } : {}) };
  }
  const pause = pauseOf(result);
  if (pause?.kind === 'later' && result.madeProgress) return { ...pause, madeProgress: true };
  if (pause || result.kind === 'unreachable') return pause as Pause;
  const { error } = result;
  return {
    kind: 'trouble',
    outcomes: (error.outcomes as ChangeOutcome[] | undefined) ?? [],
    entryId: entryNamedBy(error.errors, entries),
    trouble: {
      code: error.code,
      message: error.message,
      resolution: (error.resolution as Resolution[] | undefined) ?? [],
      current: (error.current as ServerCopy | undefined) ?? null,
      ...(error.instead ? { instead: error.instead as NonNullable<Trouble['instead']> } : {}),
      at,
    },
  };
};
