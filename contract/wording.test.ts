import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { errorsByPath, wordErrors } from '#contract/wording.ts';

const refused = (schema: z.ZodMiniType, value: unknown) => {
  const read = schema.safeParse({ field: value });
  return read.success ? null : errorsByPath(read.error.issues).field;
};

it('says what is wrong in words of a person, never in those of the library', () => {
  wordErrors();
  const of = (field: z.ZodMiniType) => z.object({ field });
  expect(refused(of(z.int()), 1.5)).toEqual(['This should be a whole number.']);
  expect(refused(of(z.number()), Number.NaN)).toEqual(['This should be a number.']);
  expect(refused(of(z.array(z.string())), 'one')).toEqual(['This should be a list.']);
  expect(refused(of(z.string()), 1)).toEqual(['This should be text.']);
  expect(refused(of(z.boolean()), 'yes')).toEqual(['This should be yes or no.']);
  expect(refused(of(z.record(z.string(), z.string())), 'one')).toEqual(['This should be a group of fields.']);
  expect(refused(of(z.string()), undefined)).toEqual(['This field is required.']);
  expect(refused(of(z.union([z.iso.date(), z.literal('never')])), 5)).toEqual([expect.not.stringMatching(/invalid|expected|ISO/i)]);
});
