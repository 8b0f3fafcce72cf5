import { useRef, useState } from 'react';
import { texts } from '#contract/texts.ts';
import { type FieldErrors, pathErrorsOf } from '#src/api/field-errors.ts';
import type { Result } from '#src/api/transport.ts';
import { notify } from '#src/ui/notify.ts';

/** The outcome of the last action. */
export type ActionState = 'ready' | 'busy' | 'done' | 'refused' | 'offline';
/** The result of an action without the server. */
export type Done<T> = { kind: 'ok'; data: T };
/** The result of one that failed. */
export type Failed = { kind: 'failed'; errors: FieldErrors };
type Options<T> = {
  /** The message after success. */
  success?: string | ((answer: T) => string);
  onDone?: ((answer: T) => void) | undefined;
  /** Receives the error message; without it a notice is shown. */
  onFailed?: (errors: FieldErrors) => void;
};

/** Runs one action at a time, ignoring double taps, and reports the outcome. `work` returns what `call` and `graphCall` return. */
export const useAction = <I extends unknown[], T>(
  work: (...input: I) => Promise<Result<T> | Done<T> | Failed>,
  { success, onDone, onFailed = (errors) => notify('error', Object.values(errors)[0] ?? texts.fallback) }: Options<T> = {},
) => {
  const [state, setState] = useState<ActionState>('ready');
  const running = useRef(false);
  const run = async (...input: I): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setState('busy');
    const result = await work(...input).catch(() => null);
    running.current = false;
    if (result?.kind === 'ok') {
      setState('done');
      if (success) notify('success', typeof success === 'string' ? success : success(result.data));
      onDone?.(result.data);
    } else {
      setState(result?.kind === 'unreachable' ? 'offline' : 'refused');
      onFailed(result === null ? { whole: texts.fallback } : result.kind === 'failed' ? result.errors : pathErrorsOf(result));
    }
  };
  return { run, state, busy: state === 'busy' };
};
