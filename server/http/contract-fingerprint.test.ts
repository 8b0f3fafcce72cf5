import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractFingerprint, fingerprintOf } from '#server/http/contract-fingerprint.ts';
import { openApiDocument } from '#server/http/open-api.ts';

const openApi = JSON.stringify(openApiDocument());
const graph = readFileSync(new URL('../../docs/generated/schema.graphql', import.meta.url), 'utf8');

describe('the fingerprint of the contract', () => {
  it('is that of what this server answers', () => {
    expect(fingerprintOf(openApi, graph)).toBe(contractFingerprint);
  });
  it('changes with a field, a call and a type', () => {
    const changed = [
      fingerprintOf(openApi.replace('"renewal_months"', '"renewal_weeks"'), graph),
      fingerprintOf(openApi.replace('"/attempts/', '"/tries/'), graph),
      fingerprintOf(openApi, graph.replace('renewal_months: Int', 'renewal_months: Int!')),
    ];
    expect(new Set([contractFingerprint, ...changed]).size).toBe(4);
  });
  it('does not change with the words of the documentation', () => {
    const words = openApi.replace(/"summary":"[^"]+"/, '"summary":"Something else"');
    expect(words).not.toBe(openApi);
    expect(fingerprintOf(words, graph.replace(/"""[^"]+"""/, '"""Something else"""'))).toBe(contractFingerprint);
  });
});
