import { toHex } from '#contract/rules/bytes.ts';

/** JSON with sorted keys and without undefined values. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, v]) => `${JSON.stringify(name)}:${canonical(v)}`).join()}}`;
};

/** SHA-256 (hex) of a record's content, including the hashes of its files. Signatures are bound to it. */
export const contentHash = async (record: object): Promise<string> =>
  toHex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical(record))));
