import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type * as mini from 'zod/mini';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { errors } from '#contract/errors.ts';
import { protocol, serverMark } from '#contract/protocol.ts';

type Json = Record<string, unknown>;
export const schemaOf = (schema: mini.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;
  return rest;
};

/** The entities of the contract by name, including those defined beside the calls of their resource. Plain values (ids, days, names) are inlined. */
const named = z.registry<{ id: string }>();
const isNamed = (value: unknown): value is z.ZodType =>
  value instanceof z.core.$ZodType && ['object', 'union', 'record'].includes(value._zod.def.type);
for (const folder of ['entities', 'api'])
  for (const file of readdirSync(new URL(`../../contract/${folder}`, import.meta.url)).filter((f) => !f.endsWith('.test.ts')))
    for (const [id, value] of Object.entries(await import(`../../contract/${folder}/${file.slice(0, -3)}.ts`)))
      if (isNamed(value)) named.add(value, { id });

/** Schemas that reference the entities, and the referenced entities. Answers may gain further fields. */
const referring = () => {
  const schemas: Record<string, Json> = {};
  const refer = (schema: mini.ZodMiniType, io: 'input' | 'output'): Json => {
    const json = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      metadata: named,
      override: ({ jsonSchema }) => {
        delete jsonSchema.id;
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    const moved = JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json & { $defs?: Record<string, Json> };
    const { $schema: _, $defs, ...rest } = moved;
    for (const [name, definition] of Object.entries($defs ?? {})) {
      if (name.startsWith('__')) throw new Error(`A schema that refers to itself has no name in the contract: ${JSON.stringify(definition)}`);
      if (schemas[name] && !isDeepStrictEqual(schemas[name], definition)) throw new Error(`${name} is not the same when sent and when received.`);
      schemas[name] = definition;
    }
    return rest;
  };
  const fields = (schema: mini.ZodMiniType | undefined): [string, Json, boolean][] => {
    const json = (schema ? refer(schema, 'input') : {}) as { properties?: Record<string, Json>; required?: string[] };
    return Object.entries(json.properties ?? {}).map(([name, property]) => [name, property, json.required?.includes(name) ?? false]);
  };
  return { schemas, refer, fields };
};

/** The OpenAPI document, generated from the contract. Endpoints marked 'ours' are additions to the specification. */
export const openApiDocument = () => {
  const paths: Record<string, Record<string, Json>> = {};
  const { schemas, refer, fields } = referring();
  for (const e of endpoints as readonly Endpoint[]) {
    const success: Json = e.file
      ? { description: 'A file.', content: { [e.file]: { schema: { type: 'string', format: 'binary' } } } }
      : e.response
        ? {
            description: 'Done.',
            content: {
              'application/json': { schema: { type: 'object', required: ['data'], properties: { data: refer(e.response, 'output') } } },
              ...(e.orFile ? { [e.orFile]: { schema: { type: 'string', format: 'binary' } } } : {}),
            },
          }
        : { description: 'Done; no content.' };
    const byStatus = Object.groupBy(e.errors, (code) => String(errors[code].status));
    const access = e.access === 'public' ? 'Public.' : e.access === 'signed-in' ? 'Signed in.' : `Needs permission ${e.access.join(' or ')}.`;
    paths[e.path] = {
      ...paths[e.path],
      [e.method.toLowerCase()]: {
        operationId: e.id,
        summary: e.ours ? `${e.summary} (ours)` : e.summary,
        description: `${access} Offline: ${e.offline}.`,
        tags: [e.path.split('/')[1] ?? 'system'],
        parameters: [
          ...fields(e.params).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
          ...fields(e.query).map(([name, schema, required]) => ({ name, in: 'query', required, schema })),
        ],
        ...(e.body ? { requestBody: { required: true, content: { 'application/json': { schema: refer(e.body, 'input') } } } } : {}),
        ...(e.upload
          ? {
              requestBody: {
                required: true,
                content: Object.fromEntries(
                  e.upload.types.map((type) => [type, { schema: { type: 'string', format: 'binary', maxLength: e.upload?.limitBytes } }]),
                ),
              },
            }
          : {}),
        responses: {
          [String(e.status ?? 200)]: success,
          ...Object.fromEntries(
            Object.entries(byStatus).map(([status, codes]) => [
              status,
              { description: (codes ?? []).map((code) => `${code}: ${errors[code].message}`).join('\n') },
            ]),
          ),
        },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lantern API',
      version: Object.values(protocol.version).join('.'),
      description: `Every answer carries its data in \`data\`. Errors carry \`message\`, \`code\`, \`errors\` (by field) and \`request_id\`. The header \`${serverMark.contractHeader}\` (ours) has a fingerprint of this document and of the GraphQL schema, without their words: another one means that calls, types or fields have changed.`,
    },
    servers: [{ url: protocol.apiPrefix }],
    paths,
    components: { schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
};
