import { toHex } from '#contract/rules/bytes.ts';

/** One text for one value, however its fields are ordered; what is undefined is not there. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, v]) => `${JSON.stringify(name)}:${canonical(v)}`).join()}}`;
};

/** What a signature is bound to: SHA-256 (hex) of all that a record says, its files by their hashes. The same on a device and on the server. */
export const contentHash = async (record: object): Promise<string> =>
  toHex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical(record))));
