import * as z from 'zod';
import type * as mini from 'zod/mini';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { errors } from '#contract/errors.ts';
import { protocol } from '#contract/protocol.ts';

type Json = Record<string, unknown>;
export const schemaOf = (schema: mini.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;
  return rest;
};
const objectProperties = (schema: mini.ZodMiniType | undefined): [string, Json, boolean][] => {
  if (!schema) return [];
  const json = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(json.properties ?? {}).map(([name, property]) => [name, property, json.required?.includes(name) ?? false]);
};

/** The OpenAPI document, generated from the contract. Endpoints marked 'ours' are additions to the specification. */
export const openApiDocument = () => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const e of endpoints as readonly Endpoint[]) {
    const success: Json = e.file
      ? { description: 'A file.', content: { [e.file]: { schema: { type: 'string', format: 'binary' } } } }
      : e.response
        ? {
            description: 'Done.',
            content: { 'application/json': { schema: { type: 'object', required: ['data'], properties: { data: schemaOf(e.response, 'output') } } } },
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
          ...objectProperties(e.params).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
          ...objectProperties(e.query).map(([name, schema, required]) => ({ name, in: 'query', required, schema })),
        ],
        ...(e.body ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(e.body, 'input') } } } } : {}),
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
      description: 'Every answer carries its data in `data`. Errors carry `message`, `code`, `errors` (by field) and `request_id`.',
    },
    servers: [{ url: protocol.apiPrefix }],
    paths,
  };
};
