import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { lexicographicSortSchema, parse, printSchema } from 'graphql';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { guardsLater, permissionIdOf, type PermissionSlug, permissions } from '#contract/permissions.ts';
import { type SiteRoute, siteMap } from '#contract/site-map.ts';
import { settingsTable } from '#server/config.ts';
import { graphSchema as schema } from '#server/features.ts';
import { openApiDocument } from '#server/http/open-api.ts';
import { permissionUses } from './permission-uses.ts';

/** Generates the GraphQL schema and its typed operations, the API document and the access matrix. */
const root = new URL('..', import.meta.url).pathname;
const write = (path: string, text: string) => {
  const file = join(root, path);
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  // An unchanged file keeps its time, so that the build made from it stays newer.
  if (existsSync(file) && readFileSync(file, 'utf8') === whole) return;
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, whole);
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
write(
  'docs/generated/permissions.md',
  [
    '# Permissions',
    '',
    'Made from the contract by `npm run generate`. A call or a screen is opened by any one of its permissions. Where code is named, it',
    'asks for the permission itself. *Later*: what it will guard is not built yet. Each use has a line of its own, so that independent changes',
    'do not meet.',
    ...permissions.flatMap((p) => {
      const uses = permissionUses(p.slug);
      const later = (guardsLater as Partial<Record<PermissionSlug, string>>)[p.slug];
      return [
        '',
        `## ${p.slug}`,
        '',
        `${p.name} (${p.id}, ${p.category}). ${p.description}`,
        '',
        ...(uses.length > 0 ? uses : [`*later:* ${later}`]).map((use) => `- ${use}`),
      ];
    }),
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
const config = { documentMode: 'string' as const, useTypeImports: true, enumsAsTypes: true, strictScalars: true, defaultScalarType: 'unknown' };
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
