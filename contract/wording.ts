import * as z from 'zod/mini';

type Issue = z.core.$ZodRawIssue;
const number = (n: number | bigint) => n.toLocaleString('en-GB');
/** The limit of a value, where a schema only gives a number. */
const limit = (issue: { origin: string }, most: string, word: 'most' | 'least') =>
  issue.origin === 'string'
    ? word === 'most'
      ? `Use no more than ${most} characters.`
      : `Use at least ${most} characters.`
    : ['array', 'set', 'map', 'object'].includes(issue.origin)
      ? `Choose at ${word} ${most}.`
      : `Enter ${most} at ${word}.`;

/** The everyday names of a schema's types. */
const kindWords: Partial<Record<string, string>> = {
  ...{ string: 'text', number: 'a number', int: 'a whole number', bigint: 'a whole number', boolean: 'yes or no', date: 'a date' },
  ...{ array: 'a list', set: 'a list', object: 'a group of fields', record: 'a group of fields', null: 'empty', nan: 'a number' },
};

/** The message for a field whose schema has none of its own. */
const wordsFor = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null
        ? 'This field is required.'
        : `This should be ${kindWords[issue.expected] ?? 'something else'}.`;
    case 'too_big':
      return limit(issue, number(issue.maximum), 'most');
    case 'too_small':
      return limit(issue, number(issue.minimum), 'least');
    case 'not_multiple_of':
      return `Enter a multiple of ${number(issue.divisor)}.`;
    case 'invalid_value':
      return 'Choose one of those that are offered.';
    case 'unrecognized_keys':
      return 'This is not known here.';
    default:
      return 'This is not valid.';
  }
};

/** Replaces the library's messages of a schema's errors, on the server as in a form. */
export const wordErrors = (): void => {
  z.config({ customError: wordsFor });
};

/** A schema's errors, by the path of the field. For a union, those of the closest shape. */
export const errorsByPath = (issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[] = []): Record<string, string[]> => {
  const errors: Record<string, string[]> = {};
  const add = (path: string, messages: string[]) => {
    errors[path] = [...(errors[path] ?? []), ...messages];
  };
  for (const issue of issues) {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const [meant = []] = [...issue.errors].sort(
        (a, b) => Math.max(...b.map((i) => i.path.length)) - Math.max(...a.map((i) => i.path.length)) || a.length - b.length,
      );
      for (const [at, messages] of Object.entries(errorsByPath(meant, path))) add(at, messages);
    } else add(path.map(String).join('.'), [issue.message]);
  }
  return errors;
};
