import * as z from 'zod/mini';
import { webAddress } from '#contract/rules/links.ts';

/** Field types shared by entities. Messages that a schema does not define are in contract/wording.ts. */
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const Id = z.string().check(z.regex(idPattern, 'This is not a valid id.'));
export const Slug = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Use only lower-case letters, digits and hyphens.'));
/** The id of something the user selects. */
export const Choice = (missing: string) => z.string({ error: missing }).check(z.regex(idPattern, missing));
/** No line breaks, tabs, other control characters or text direction marks: with them a name could imitate other text. */
const oneLine = z.regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, 'Use a single line, without line breaks or control characters.');
/** A single line of text, trimmed. */
export const Line = (most: number) =>
  z.string().check(z.trim(), oneLine, z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`));
/** A required single line. */
export const NeededLine = (most: number, missing = 'This field is required.') =>
  z.string().check(z.trim(), oneLine, z.minLength(1, missing), z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`));
export const Name = NeededLine(200, 'Enter a name.');
export const Email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254, 'This e-mail address is too long.'),
    z.email('Enter an e-mail address, for example name@example.org.'),
  );
/** A web address to which a link may lead. */
export const WebAddress = z.string().check(
  z.trim(),
  z.maxLength(500),
  z.refine((text) => webAddress(text) !== null, 'Enter a web address that starts with https://.'),
);
/** Whether a day or time exists: no 30 February, no year 0, and none outside the range of date arithmetic. */
export const isInCalendar = (text: string): boolean => {
  const time = new Date(text.length > 10 ? text.replace(/\.\d+/, '') : `${text}T00:00:00Z`);
  const year = Number(text.slice(0, 4));
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 10) === text.slice(0, 10) && year >= 1900 && year <= 2999;
};
export const Instant = z
  .string()
  .check(
    z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/, { error: 'Enter a date and time, for example 21/11/2026, 14:30.', abort: true }),
    z.refine(isInCalendar, 'This date or time does not exist.'),
  );
/** A day as YYYY-MM-DD. */
export const Day = z.iso
  .date({ error: ({ input }) => (input ? 'Enter a date, for example 21/11/2026.' : 'Enter a date.'), abort: true })
  .check(z.refine(isInCalendar, 'This date does not exist.'));
/** A clock error in milliseconds. */
export const ClockOffset = z.int().check(z.gte(-1e14), z.lte(1e14));
export const Percent = z.number().check(z.gte(0), z.lte(100));
export const Count = z.int().check(z.gte(0), z.lte(1_000_000_000));
export const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A reference to another record in an answer. */
export const Ref = z.object({ id: Id, name: z.string() });

/** A partial update: any of these fields, at least one. */
export const someOf = <const S extends z.core.$ZodLooseShape>(fields: S) =>
  z.partial(z.object(fields)).check(z.refine((change) => Object.keys(change).length > 0, 'Change at least one field.'));
