import * as z from 'zod/mini';

/** Building blocks that several entities share. Messages are set once, in server/http/validation.ts. */
export const Id = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'This is not a valid id.'));
export const Slug = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Use small letters, digits and hyphens.'));
export const Name = z.string().check(z.trim(), z.minLength(1, 'Please fill this in.'), z.maxLength(200, 'Use 200 characters at most.'));
export const Email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254, 'This is too long for an e-mail address.'),
    z.email('Enter an e-mail address such as name@example.org.'),
  );
export const Instant = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, 'This is not a time.'));
export const Percent = z.number().check(z.gte(0), z.lte(100));
export const Count = z.int().check(z.gte(0), z.lte(1_000_000_000));
export const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A reference to another thing, as answers carry it. */
export const Ref = z.object({ id: Id, name: z.string() });

/** Some of these fields, at least one: what a change says. */
export const someOf = <const S extends z.core.$ZodLooseShape>(fields: S) =>
  z.partial(z.object(fields)).check(z.refine((change) => Object.keys(change).length > 0, 'Say what is to be changed.'));
