import { expect, it } from 'vitest';
import { currentNotices, notify, removeNotice } from '#src/ui/notify.ts';

it('says the same thing once, as the newest', () => {
  const first = notify('error', 'You go on as yourself.');
  notify('error', 'Something else.');
  const again = notify('error', 'You go on as yourself.');
  expect(currentNotices().map((n) => n.message)).toEqual(['Something else.', 'You go on as yourself.']);
  // Closing the first by its id closes nothing else.
  removeNotice(first);
  expect(currentNotices()).toHaveLength(2);
  removeNotice(again);
  expect(currentNotices().map((n) => n.message)).toEqual(['Something else.']);
});
