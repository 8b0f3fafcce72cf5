import type { OtherAuthor } from '#contract/entities/presence.ts';
import { formatTime } from '#src/lib/format.ts';

const listed = (names: readonly string[]): string => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);

/** Who else is editing the same thing, in a sentence; empty if nobody is. `what`: the kind of thing, such as “topic”. */
export const alsoHereWords = (others: readonly OtherAuthor[], what: string): string | null => {
  const [first, ...more] = others;
  if (!first) return null;
  if (more.length > 0) return `${listed(others.map(({ name, you }) => (you ? 'You, in another place,' : name)))} are also editing this ${what}.`;
  return first.you
    ? `You are also editing this ${what} in another tab or on another device, since ${formatTime(first.since)}.`
    : `${first.name} is also editing this ${what} since ${formatTime(first.since)}.`;
};
