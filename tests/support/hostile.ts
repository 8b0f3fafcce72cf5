import { randomUUID } from 'node:crypto';
import { demoId } from '#server/db/demo/authoring.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';

/** Valid values for schemas, and hostile ones to replace parts of them. Deterministic for a seed. */
export type Json = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Json[];
  oneOf?: Json[];
  items?: Json;
  minItems?: number;
  properties?: Record<string, Json>;
  additionalProperties?: Json | boolean;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
};
export const nul = String.fromCharCode(0);
const deep = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { type: 'x', content: value };
  return value;
};
const chain = (depth: number): unknown => {
  let value: unknown = { type: 'paragraph' };
  for (let i = 0; i < depth; i++) value = { type: 'bulletList', content: [value] };
  return value;
};
export const hostile: readonly unknown[] = [
  ...[
    nul,
    `a${nul}b`,
    String.fromCharCode(0xd800),
    `x${String.fromCharCode(0xdc00)}y`,
    '',
    ' ',
    '\u202e\u0000',
    '%',
    '\\',
    "'; --",
    '😀'.repeat(60),
    'a'.repeat(100_000),
  ],
  ...['2026-02-30', '0000-01-01', '9999-12-31', '2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-01-01T24:00:00Z'],
  ...[-1, 0, 0.5, 1e9, 2_147_483_648, 4_294_967_296, 9.3e18, 1e21, 1e308, -2_147_483_649, Number.MAX_SAFE_INTEGER],
  ...['NaN', '1e400', '__proto__', 'constructor', '2147483648', '9223372036854775808', '-1'],
  ...[null, true, [], {}, [[]], [null], { __proto__x: 1, constructor: 1 }, deep(1200), chain(1000), chain(50)],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'not-an-id', '../../etc/passwd'],
];

/** Repetitions, and the seed, for a longer search (`HOSTILE_SEED`, `HOSTILE_TIMES`). */
export const hostileTimes = Number(process.env.HOSTILE_TIMES ?? 1);
export const hostileFrom = (usual: number) => {
  const seed = Number(process.env.HOSTILE_SEED ?? usual);
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const people = ['learner', 'manager', 'admin', 'trainer'].map((who) => demoId(`user:${who}@willowbrook.test`));
  const ids: string[] = [...people, demoId('entity:home'), demoId('content:fire-safety'), demoId('course:Fire safety'), randomUUID()];

  /** A value that most likely satisfies the schema. */
  const fitting = (schema: Json, name: string): unknown => {
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fitting(pick(choices), name);
    if (schema.type === 'array') return schema.items ? [fitting(schema.items, name)] : [];
    if (schema.type === 'object') {
      const own = Object.entries(schema.properties ?? {}).map(([field, of]) => [field, fitting(of, field)]);
      const more = typeof schema.additionalProperties === 'object' ? [[randomUUID(), fitting(schema.additionalProperties, name)]] : [];
      return Object.fromEntries([...own, ...more]);
    }
    if (schema.type === 'boolean') return random() < 0.5;
    if (schema.type === 'integer' || schema.type === 'number')
      return pick([schema.minimum ?? 0, Math.min(schema.maximum ?? 5, 5), schema.maximum ?? 7]);
    const pattern = schema.pattern ?? '';
    if (schema.format === 'date' || pattern.includes('(19|20)')) return '2026-01-02';
    if (pattern.includes('[0-9a-f]{8}-')) return pick(ids);
    if (pattern.includes('T\\d\\d')) return '2026-01-02T03:04:05Z';
    if (pattern.includes('2[0-3]')) return '10:00';
    if (pattern.includes('[0-9a-f]{64}')) return 'a'.repeat(64);
    if (pattern.includes('#[0-9a-fA-F]')) return '#123456';
    if (pattern.includes('https?')) return 'https://example.org';
    if (schema.format === 'email' || /email/.test(name)) return `${randomUUID()}@example.org`;
    if (pattern.includes('[a-z0-9]')) return 'willowbrook-house';
    return 'Something';
  };
  /** All paths within a value. */
  const placesIn = (value: unknown, path: string[] = []): string[][] => [
    path,
    ...(value !== null && typeof value === 'object' ? Object.entries(value).flatMap(([k, v]) => placesIn(v, [...path, k])) : []),
  ];
  const withValueAt = (value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown => {
    if (key === undefined) return put;
    const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
    (copy as Record<string, unknown>)[key] = withValueAt((value as Record<string, unknown>)[key], rest, put);
    return copy;
  };
  return { random, pick, fitting, placesIn, withValueAt };
};
