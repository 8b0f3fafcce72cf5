import { expect, it } from 'vitest';
import { countOfWork } from '#src/offline/kinds/count-work.ts';

it('counts what a person did, and not what the device wrote for it', () => {
  const attempt = 'attempt:0193b0a0-0000-7000-8000-000000000001';
  let id = 0;
  const entry = (lane: string, command: Parameters<typeof countOfWork>[0][number]['command'], args: object, mergeKey: string | null) => ({
    ...{ id: String(id++), lane, command, args, mergeKey },
  });
  const work = [
    entry(attempt, 'attempt.start', {}, null),
    // One page, of which the first part is being sent.
    entry(attempt, 'attempt.progress', {}, 'page'),
    entry(attempt, 'attempt.progress', {}, 'page'),
    entry(attempt, 'attempt.scorm_commit', { item_id: 'one' }, 'session a'),
    entry(attempt, 'attempt.scorm_commit', { item_id: 'one' }, 'session b'),
    entry(`${attempt}/one`, 'attempt.scorm_resume', { item_id: 'one' }, null),
    entry(attempt, 'attempt.h5p_statements', { item_id: 'two' }, null),
    entry(attempt, 'attempt.h5p_statements', { item_id: 'two' }, null),
    entry(attempt, 'attempt.h5p_state', { item_id: 'two' }, 'place'),
  ];
  expect(countOfWork(work)).toBe(4);
  expect(countOfWork([])).toBe(0);
});
