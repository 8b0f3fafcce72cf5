import { useRef, useState } from 'react';
import { texts } from '#contract/texts.ts';
import { type FieldErrors, pathErrorsOf } from '#src/api/field-errors.ts';
import type { Result } from '#src/api/transport.ts';
import { notify } from '#src/ui/notify.ts';

/** What came of what was done last. */
export type ActionState = 'ready' | 'busy' | 'done' | 'refused' | 'offline';
/** What is answered where something is done without the server. */
export type Done<T> = { kind: 'ok'; data: T };
/** The same, where it could not be done. */
export type Failed = { kind: 'failed'; errors: FieldErrors };
type Options<T> = {
  /** What is told when it is done. */
  success?: string | ((answer: T) => string);
  onDone?: ((answer: T) => void) | undefined;
  /** Where it is said that it failed; without it in a notice. */
  onFailed?: (errors: FieldErrors) => void;
};

/** Does one thing at a time, whatever a double tap asks for, and tells what came of it. `work` answers as `call` and `graphCall` do. */
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
