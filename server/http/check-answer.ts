import type { Endpoint } from '#contract/api/endpoint.ts';

/** Paths of fields in `sent` that are not in `known`. */
const unknownFields = (sent: unknown, known: unknown, at: string): string[] => {
  if (Array.isArray(sent)) return sent.flatMap((item, i) => unknownFields(item, (known as unknown[])[i], `${at}.${i}`));
  if (typeof sent !== 'object' || sent === null || typeof known !== 'object' || known === null) return [];
  return Object.entries(sent).flatMap(([field, value]) =>
    field in known ? unknownFields(value, (known as Record<string, unknown>)[field], `${at}.${field}`) : [`${at}.${field}: not in the contract`],
  );
};

/**
 * Throws if the data of an answer does not match the contract: a missing field, a wrong type or an unknown field. For tests and
 * development only, because every answer is parsed again.
 */
export const checkAnswer = ({ id, response }: Endpoint, json: string | undefined): void => {
  if (response === undefined && json === undefined) return;
  const sent: unknown = json === undefined ? undefined : JSON.parse(json);
  const read = response?.safeParse(sent);
  const problems = read?.success
    ? unknownFields(sent, read.data, 'data')
    : (read?.error.issues.map((i) => `${['data', ...i.path].map(String).join('.')}: ${i.message}`) ?? ['data: the contract has no answer']);
  if (problems.length > 0) throw new Error(`The answer of ${id} is not what the contract says. ${problems.slice(0, 5).join('; ')}`);
};
