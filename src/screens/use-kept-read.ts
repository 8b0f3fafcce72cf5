import { useEffect } from 'react';
import { useLine } from '#src/device/line.ts';
import { keepPage, type KeptName, keptPage } from '#src/device/kept-pages.ts';
import { type Load, type ReadState, useReadOf } from '#src/screens/use-read.ts';

/**
 * Reads from the server, stores the answer on this device under `name`, and shows the stored one offline: `asOf` then says when it was
 * read. It is read again as soon as there is a connection. Without a name nothing is stored; `keeps`
 * decides whether an answer is stored.
 */
export const useKeptRead = <T extends object>(
  name: KeptName | null,
  key: readonly unknown[],
  load: Load<T>,
  keeps: (thing: T) => boolean = () => true,
): { state: ReadState<T>; asOf: string | null; retry: () => void } => {
  const { state, retry } = useReadOf<{ thing: T; asOf: string | null }>(
    [...key, name],
    async (signal) => {
      const answer = await load(signal);
      if (answer.kind === 'ok') {
        if (name) void keepPage(name, keeps(answer.data) ? answer.data : null).catch(() => undefined);
        return { kind: 'ok', data: { thing: answer.data, asOf: null } };
      }
      const kept = name && answer.kind === 'unreachable' ? await keptPage<T>(name).catch(() => null) : null;
      return kept ? { kind: 'ok', data: { thing: kept.value, asOf: kept.at } } : answer;
    },
    { keepShown: 'same' },
  );
  const asOf = state.kind === 'loaded' ? state.data.asOf : null;
  const hasLine = useLine();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again only when the connection returns
  useEffect(() => {
    if (hasLine && asOf !== null) retry();
  }, [hasLine]);
  return { state: state.kind === 'loaded' ? { ...state, data: state.data.thing } : state, asOf, retry };
};
