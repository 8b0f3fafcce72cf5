import { expect, it } from 'vitest';
import { guardsLater, permissions } from '#contract/permissions.ts';
import { permissionUses } from './permission-uses.ts';

it('each permission guards something or says what it will guard', () => {
  const neither = permissions.filter((p) => permissionUses(p.slug).length === 0 && !(p.slug in guardsLater));
  expect(neither.map((p) => p.slug)).toEqual([]);
  const both = permissions.filter((p) => permissionUses(p.slug).length > 0 && p.slug in guardsLater);
  expect(both.map((p) => [p.slug, permissionUses(p.slug)])).toEqual([]);
});
