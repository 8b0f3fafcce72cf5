import { expect, it } from 'vitest';
import { sayWhereNotKept } from '#src/device/draft-not-kept.ts';
import { currentNotices, removeNotice } from '#src/ui/notify.ts';

const settled = () => Promise.resolve();

it('says once that a draft is not kept, also after that was read, and takes it back when one is', async () => {
  const fails = () => sayWhereNotKept(Promise.reject(new DOMException('full', 'QuotaExceededError')));
  fails();
  fails();
  await settled();
  expect(currentNotices()).toMatchObject([{ type: 'error', message: expect.stringContaining('cannot be kept') }]);
  removeNotice(currentNotices()[0]?.id as number);
  fails();
  await settled();
  expect(currentNotices()).toEqual([]);
  sayWhereNotKept(Promise.resolve());
  await settled();
  fails();
  await settled();
  expect(currentNotices()).toHaveLength(1);
  sayWhereNotKept(Promise.resolve());
  await settled();
  expect(currentNotices()).toEqual([]);
});
