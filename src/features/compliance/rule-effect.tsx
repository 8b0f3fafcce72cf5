import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { RuleEffect as Effect } from '#contract/entities/compliance.ts';
import type { Result } from '#src/api/transport.ts';
import { countOf } from '#src/lib/format.ts';
import { useReadOf } from '#src/screens/use-read.ts';

const pauseMs = 400;
const colours = { red: 'red', amber: 'amber', green: 'green', none: 'to not required' } as const;

type Props<C> = { change: C; ask: (change: C, signal: AbortSignal) => Promise<Result<Effect>>; lead?: string; whom?: string; nobody?: string };
/** The effect of a changed rule on people, requested from the server shortly after the last change. */
export const RuleEffect = <C,>({
  change,
  ask,
  lead = 'If you save this',
  whom = 'with this job role',
  nobody = 'Nobody has this job role.',
}: Props<C>) => {
  const [rule] = useDebouncedValue(change, pauseMs);
  const { state } = useReadOf(['rule effect', rule], (signal) => ask(rule, signal));
  // The answer for an earlier rule is not shown for this one.
  if (state.kind !== 'loaded' || JSON.stringify(rule) !== JSON.stringify(change)) return <Text role="status" mih="1.5em" />;
  const { people, turns } = state.data;
  const changed = (['red', 'amber', 'green', 'none'] as const).filter((colour) => turns[colour] > 0);
  const words = changed.map(
    (colour, n) =>
      `${n === 0 ? countOf(turns[colour], 'person', 'people') : turns[colour].toLocaleString('en-GB')} ${turns[colour] === 1 ? 'turns' : 'turn'} ${colours[colour]}`,
  );
  return (
    <Text role="status">
      {people === 0
        ? nobody
        : changed.length === 0
          ? `Nobody of ${countOf(people, 'person', 'people')} changes colour.`
          : `${lead}: ${words.join(', ')} (of ${people.toLocaleString('en-GB')} ${whom}).`}
    </Text>
  );
};
