import { expect, it } from 'vitest';
import { latestOnly } from '#src/lib/latest-only.ts';

it('shows what was read last, though an earlier read ends after it', async () => {
  const shown: string[] = [];
  const read = latestOnly<string>((value) => shown.push(value));
  const slow = Promise.withResolvers<string>();
  const first = read(() => slow.promise);
  await read(async () => 'without Daniel');
  slow.resolve('with Daniel');
  await first;
  expect(shown).toEqual(['without Daniel']);
});
