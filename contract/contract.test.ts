import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { can } from '#contract/can.ts';
import { permissionOf, permissions } from '#contract/permissions.ts';
import { helpPattern, pathTo, type SiteRoute, siteMap } from '#contract/site-map.ts';

describe('the contract', () => {
  it('has each route, endpoint and permission once', () => {
    const once = (list: readonly string[]) => expect(new Set(list).size).toBe(list.length);
    once(siteMap.map((r) => r.id));
    once(siteMap.map((r) => r.path));
    once(endpoints.map((e) => e.id));
    once(endpoints.map((e) => `${e.method} ${e.path}`));
    once(permissions.map((p) => p.slug));
    once(permissions.map((p) => String(p.id)));
    expect((siteMap as readonly SiteRoute[]).filter((r) => !r.ours)).toHaveLength(106);
  });
  it('names only permissions that there are', () => {
    const slugs = new Set<string>(permissions.map((p) => p.slug));
    for (const r of siteMap as readonly SiteRoute[])
      if (typeof r.access !== 'string') for (const slug of r.access) expect(slugs.has(slug), r.path).toBe(true);
  });
  it('makes every changing call answer an expired anti-forgery token', () => {
    for (const e of endpoints as readonly Endpoint[])
      if (e.access === 'public' && e.method !== 'GET' && e.id !== 'mobileLogin') expect(e.errors, e.id).toContain('csrf_mismatch');
  });
  it('fills the parameters of a path', () => {
    expect(pathTo('attempt-by-attemptid', { attemptId: 'a b' })).toBe('/attempt/a%20b');
    expect(() => pathTo('users-by-uuid')).toThrow();
    expect(helpPattern('/users/update/{uuid}')).toBe('/users/update/*');
  });
  it('gives a super administrator everything and others what they hold', () => {
    const holder = { super_admin: false, permissions: [{ slug: 'user.search' }] };
    expect(can({ super_admin: true, permissions: [] }, 'entity.create')).toBe(true);
    expect(can(holder, ['entity.create', 'user.search'])).toBe(true);
    expect(can(holder, ['entity.create', 'user.search'], 'all')).toBe(false);
    expect(can(holder, 'user.search')).toBe(true);
    expect(can(null, 'user.search')).toBe(false);
  });
  it('finds a permission by id or slug, as clients send it', () => {
    expect(permissionOf(21)?.slug).toBe('user.search');
    expect(permissionOf('21')?.slug).toBe('user.search');
    expect(permissionOf('user.search')?.id).toBe(21);
    expect(permissionOf('no.such')).toBeUndefined();
  });
});
