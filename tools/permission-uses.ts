import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { entityFieldNeeds } from '#contract/entities/entity.ts';
import { userFieldNeeds } from '#contract/entities/user.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { type SiteRoute, siteMap } from '#contract/site-map.ts';

const root = join(import.meta.dirname, '..');
const sourcesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: root })
    .filter((path) => !path.includes('.test.') && !path.startsWith('contract/api/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const code = sourcesOf('contract/{entities,commands,rules,reports}/*.ts', 'server/{features,http,graphql}/**/*.ts', 'src/features/**/*.{ts,tsx}');
/** Routes with a screen: a feature names each by its id. */
const built = code.filter((f) => f.path.endsWith('/feature.tsx'));
const isBuilt = (id: string) => built.some((f) => new RegExp(`[\\s{]'?${id}'?: `).test(f.text));

const fields = Object.entries({ organisation: entityFieldNeeds, person: userFieldNeeds }).flatMap(([whose, needs]) =>
  Object.entries(needs).map(([field, slug]) => ({ slug, words: `${whose}: ${field}` })),
);

/** What a permission guards: endpoints, screens and fields, or else the code that checks it. */
export const permissionUses = (slug: PermissionSlug): string[] => {
  const named = [
    ...(endpoints as readonly Endpoint[]).filter((e) => Array.isArray(e.access) && e.access.includes(slug)).map((e) => `\`${e.method} ${e.path}\``),
    ...(siteMap as readonly SiteRoute[])
      .filter((r) => Array.isArray(r.access) && r.access.includes(slug) && isBuilt(r.id))
      .map((r) => `\`${r.path}\``),
    ...fields.filter((f) => f.slug === slug).map((f) => f.words),
  ];
  return named.length > 0 ? named : code.filter((f) => f.text.includes(`'${slug}'`)).map((f) => `code: \`${f.path}\``);
};
