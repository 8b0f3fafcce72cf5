import { expect, it } from 'vitest';
import { draftsFail, warnIfNotSaved } from '#src/device/draft-not-kept.ts';

it('tells once that drafts are not kept, and when they are again', async () => {
  const told: boolean[] = [];
  draftsFail.subscribe(() => told.push(draftsFail.get()));
  const settle = async (keeping: Promise<void>) => {
    warnIfNotSaved(keeping);
    await keeping.catch(() => undefined);
  };
  const fails = () => settle(Promise.reject(new DOMException('full', 'QuotaExceededError')));
  await fails();
  await fails();
  expect(told).toEqual([true]);
  await settle(Promise.resolve());
  await fails();
  expect(told).toEqual([true, false, true]);
});
