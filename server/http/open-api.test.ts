import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { openApiDocument, schemaOf } from '#server/http/open-api.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema: { properties: Json } }>;
const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
};
const { schemas } = document.components;

/** Every object within a value, with its path. */
const objectsIn = function* (value: unknown, at = '#'): Generator<[string, Json]> {
  if (!value || typeof value !== 'object') return;
  if (!Array.isArray(value)) yield [at, value as Json];
  for (const [key, below] of Object.entries(value)) yield* objectsIn(below, `${at}/${key}`);
};
const refsIn = (value: unknown) => [...objectsIn(value)].flatMap(([, o]) => (typeof o.$ref === 'string' ? [o.$ref] : []));

describe('the OpenAPI document', () => {
  it('refers only to schemas that it has, and has none that nothing refers to', () => {
    const named = Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
    expect([...new Set(refsIn(document))].sort()).toEqual(named.sort());
  });
  it('has each entity once', () => {
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Attempt', 'EntityRef', 'Import', 'Ref', 'RichNode']));
    const entities = Object.entries(schemas).filter(([, s]) => Object.keys((s.properties as Json | undefined) ?? {}).length > 3);
    for (const [at, object] of objectsIn(document))
      for (const [name, schema] of entities)
        if (at !== `#/components/schemas/${name}` && isDeepStrictEqual(object, schema)) expect.fail(`${at} repeats ${name}`);
  });
  it('says the same of an answer as the contract, with the references followed', () => {
    const open = (value: unknown, within: readonly string[] = []): unknown => {
      if (Array.isArray(value)) return value.map((v) => open(v, within));
      if (!value || typeof value !== 'object') return value;
      const { $ref } = value as { $ref?: string };
      if ($ref) return within.includes($ref) ? {} : open(schemas[$ref.split('/').at(-1) as string], [...within, $ref]);
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, open(v, within)]));
    };
    const closed = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(',"additionalProperties":false', ''));
    const recursive = /"\$ref"/;
    for (const e of endpoints as readonly Endpoint[]) {
      const inline = e.response && JSON.stringify(schemaOf(e.response, 'output'));
      if (!inline || recursive.test(inline)) continue;
      const call = document.paths[e.path]?.[e.method.toLowerCase()] as { responses: Record<string, { content: Content }> } | undefined;
      expect(open(call?.responses[String(e.status ?? 200)]?.content['application/json']?.schema.properties.data), e.id).toEqual(
        closed(JSON.parse(inline)),
      );
    }
  });
  it('has schemas that a reader of JSON Schema takes', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      const whole = JSON.parse(JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/'));
      expect(() => z.fromJSONSchema(whole), name).not.toThrow();
    }
  });
  it('names each call once and marks those that are ours', () => {
    const calls = Object.values(document.paths).flatMap((p) => Object.values(p));
    expect(new Set(calls.map((c) => c.operationId)).size).toBe(endpoints.length);
    const ours = (endpoints as readonly Endpoint[]).filter((e) => e.ours).map((e) => e.id);
    expect(calls.filter((c) => String(c.summary).endsWith(' (ours)')).map((c) => c.operationId)).toEqual(expect.arrayContaining(ours));
  });
});
