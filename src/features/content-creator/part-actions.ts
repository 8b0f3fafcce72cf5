import { useRef, useState } from 'react';
import type { CallInput } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { useAction } from '#src/screens/use-action.ts';

type Thing = { id: string };
type Action = 'add' | 'remove' | 'order';
type Change = { action: 'add' | 'remove'; id: string } | { action: 'order'; ids: string[] };

type Bodies = {
  lesson_id: CallInput<'POST /content/{contentId}/lessons'>['body'];
  quiz_id: CallInput<'POST /content/{contentId}/quizzes'>['body'];
  topic_id: CallInput<'POST /lessons/{lessonId}/topics'>['body'];
};
/** The body of a change of parts, whose ids are in `key`. */
export const bodyOf = <K extends keyof Bodies>(change: Change, key: K) =>
  (change.action === 'order' ? change : { action: change.action, [key]: change.id }) as object as Bodies[K];

/**
 * Adds, removes and reorders the parts of something. A new order is shown immediately; if it changes again while being
 * saved, the last one is saved next.
 */
export const usePartActions = <T>(send: (change: Change) => Promise<Result<T>>, messages: Record<Action, string>, onChange: (answer: T) => void) => {
  const [order, setOrder] = useState<string[] | null>(null);
  const latestOrder = useRef<string[] | null>(null);
  const action = useAction(
    async (change: Change) => {
      const result = await send(change);
      return result.kind === 'ok' ? { kind: 'ok' as const, data: { answer: result.data, change } } : result;
    },
    {
      success: ({ change }) => messages[change.action],
      onDone: ({ answer, change }) => {
        onChange(answer);
        const next = latestOrder.current;
        if (change.action === 'order' && next !== null && next !== change.ids) void action.run({ action: 'order', ids: next });
        else {
          latestOrder.current = null;
          setOrder(null);
        }
      },
    },
  );
  const failedBack = action.state === 'refused' || action.state === 'offline';
  return {
    busy: action.busy,
    add: (id: string) => void action.run({ action: 'add', id }),
    remove: (id: string) => void action.run({ action: 'remove', id }),
    order: (ids: string[]) => {
      latestOrder.current = ids;
      setOrder(ids);
      if (!action.busy) void action.run({ action: 'order', ids });
    },
    /** Things in the order requested last. */
    ordered: <P extends Thing>(things: readonly P[]): P[] =>
      order && !failedBack && order.length === things.length ? order.flatMap((id) => things.find((thing) => thing.id === id) ?? []) : [...things],
  };
};
