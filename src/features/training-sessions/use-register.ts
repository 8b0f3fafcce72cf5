import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useCallback, useEffect, useState } from 'react';
import type { Register } from '#contract/entities/training-session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { noteServerRegister } from '#src/offline/kinds/register/commands.ts';

type Problem = { offline: boolean; message: string };

/** One session with its register, live from this device; fetched when the page opens, when the connection returns and by `reload`. */
export const useRegister = (id: string) => {
  const db = usePersonDb();
  const [problem, setProblem] = useState<Problem | null>(null);
  const reload = useCallback(async () => {
    const result = await call('GET /training-sessions/{id}', { params: { id } }, { timeoutMs: 8000, quiet: true });
    if (result.kind === 'ok') await noteServerRegister(db, result.data);
    // A refusal is shown, whatever this device has: the session may be somebody else's now.
    if (result.kind !== 'refused' && (await db.registers.get(id))) return setProblem(null);
    setProblem(
      result.kind === 'refused'
        ? { offline: false, message: result.error.message }
        : { offline: true, message: 'This register is not on this device yet. Open it once with a connection; then it is.' },
    );
  }, [db, id]);
  useEffect(() => {
    void reload();
    const again = () => void reload();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [reload]);
  /** Runs an online action and shows its result. Returns null, or an error message. */
  const change = async (work: Promise<Result<Register>>): Promise<string | null> => {
    const result = await work;
    if (result.kind === 'ok') {
      await noteServerRegister(db, result.data);
      return null;
    }
    const named = result.kind === 'refused' ? Object.values(result.error.errors ?? {}).flat() : [];
    return named.length > 0 ? named.join(' ') : sentenceOf(result);
  };
  return { register: useLiveQuery(() => db.registers.get(id), [db, id]) ?? null, problem, reload, change };
};

/** The registers on this device, by day and time. */
export const useKeptRegisters = (): Register[] | undefined => {
  const db = usePersonDb();
  return useLiveQuery(
    async () => (await db.registers.toArray()).sort((a, b) => (`${a.date} ${a.startTime}` < `${b.date} ${b.startTime}` ? -1 : 1)),
    [db],
  );
};
