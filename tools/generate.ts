import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { lexicographicSortSchema, parse, printSchema } from 'graphql';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { entityFieldNeeds } from '#contract/entities/entity.ts';
import { userFieldNeeds } from '#contract/entities/user.ts';
import { permissionIdOf, type PermissionSlug, permissions } from '#contract/permissions.ts';
import { type SiteRoute, siteMap } from '#contract/site-map.ts';
import { settingsTable } from '#server/config.ts';
import { schema } from '#server/graphql/schema.ts';
import { openApiDocument } from '#server/http/open-api.ts';

/** Writes what is made from the sources: the GraphQL schema and its typed operations, the API document, the access matrix. */
const root = new URL('..', import.meta.url).pathname;
const write = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text.endsWith('\n') ? text : `${text}\n`);
};

write('docs/generated/schema.graphql', printSchema(lexicographicSortSchema(schema)));
write('docs/generated/openapi.json', JSON.stringify(openApiDocument(), null, 1));

const access = (a: Endpoint['access'] | SiteRoute['access']) =>
  typeof a === 'string' ? a : a.map((slug) => `${permissionIdOf(slug)} ${slug}`).join(' or ');
write(
  'docs/generated/access.md',
  [
    '# Who may do what',
    '',
    'Made from the contract by `npm run generate`; a change of access shows here.',
    '',
    '## Calls',
    '',
    '| call | access | offline |',
    '|---|---|---|',
    ...(endpoints as readonly Endpoint[]).map((e) => `| ${e.method} ${e.path}${e.ours ? ' (ours)' : ''} | ${access(e.access)} | ${e.offline} |`),
    '',
    '## Routes',
    '',
    '| route | layout | access | offline |',
    '|---|---|---|---|',
    ...(siteMap as readonly SiteRoute[]).map((r) => `| ${r.path}${r.ours ? ' (ours)' : ''} | ${r.layout} | ${access(r.access)} | ${r.offline} |`),
  ].join('\n'),
);
const fields = Object.entries({ organisation: entityFieldNeeds, person: userFieldNeeds }).flatMap(([of, needs]) =>
  Object.entries(needs).map(([field, slug]) => ({ slug, words: `${of}: ${field}` })),
);
const opens = (slug: PermissionSlug) => [
  ...(endpoints as readonly Endpoint[]).filter((e) => Array.isArray(e.access) && e.access.includes(slug)).map((e) => `\`${e.method} ${e.path}\``),
  ...(siteMap as readonly SiteRoute[]).filter((r) => Array.isArray(r.access) && r.access.includes(slug)).map((r) => `\`${r.path}\``),
  ...fields.filter((f) => f.slug === slug).map((f) => f.words),
];
write(
  'docs/generated/permissions.md',
  [
    '# Permissions',
    '',
    'Made from the contract by `npm run generate`. A call or a route is opened by any one of its permissions. *Not asked for yet*: what',
    'it is for is not there yet.',
    '',
    '| id | slug | category | name | what it allows | asked for by |',
    '|---|---|---|---|---|---|',
    ...permissions.map(
      (p) => `| ${p.id} | ${p.slug} | ${p.category} | ${p.name} | ${p.description} | ${opens(p.slug).join(', ') || '*not asked for yet*'} |`,
    ),
  ].join('\n'),
);
write(
  'docs/generated/settings.md',
  ['| setting | what it does |', '|---|---|', ...settingsTable.map((s) => `| \`${s.name}\` | ${s.description} |`)].join('\n'),
);

const folders = readdirSync(join(root, 'src/features'));
const documents = folders
  .flatMap((f) =>
    readdirSync(join(root, 'src/features', f))
      .filter((n) => n.endsWith('.graphql'))
      .map((n) => join(root, 'src/features', f, n)),
  )
  .map((location) => ({ location, document: parse(readFileSync(location, 'utf8')), rawSDL: readFileSync(location, 'utf8') }));
const config = { documentMode: 'documentNode' as const, useTypeImports: true, enumsAsTypes: true, strictScalars: true, defaultScalarType: 'unknown' };
const generated = await preset.buildGeneratesSection({
  baseOutputDir: `${join(root, 'src/api/generated')}/`,
  schema: parse(printSchema(schema)),
  schemaAst: schema,
  documents,
  config,
  presetConfig: { fragmentMasking: false },
  plugins: [],
  pluginMap: {},
  pluginContext: {},
  pluginLookup: {},
} as never);
for (const section of generated) {
  if (section.filename.endsWith('index.ts') || section.filename.endsWith('gql.ts')) continue;
  const text = await codegen(section as never);
  write(section.filename.slice(root.length), `/* Made by npm run generate. */\n${text.replace(/^\/\* eslint-disable \*\/\n/, '').trim()}\n`);
}
