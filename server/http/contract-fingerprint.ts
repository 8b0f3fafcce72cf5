import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(`../../docs/generated/${name}`, import.meta.url), 'utf8');

/** Descriptions, which do not affect what is sent. A field named `summary` has a schema, not a text. */
const isWording = (key: string, value: unknown) => ['description', 'summary', 'title'].includes(key) && typeof value === 'string';

/** A short hash of the wire format: every call, type and field of the two documents, without descriptions. */
export const fingerprintOf = (openApi: string, graphSchema: string): string => {
  const calls = JSON.stringify(JSON.parse(openApi, (key, value: unknown) => (isWording(key, value) ? undefined : value)));
  const graph = graphSchema.replaceAll(/"""[\s\S]*?"""/g, '').replaceAll(/\s+/g, ' ');
  return createHash('sha256').update(calls).update(graph).digest('base64url').slice(0, 12);
};

/** The contract of this version: the server sends it with each answer, and the app is built with it (decision 058). */
export const contractFingerprint = fingerprintOf(read('openapi.json'), read('schema.graphql'));
