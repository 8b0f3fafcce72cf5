/** The label of a field, and a value in words: empty if it is not compared. */
export type FieldWords<V> = Partial<{ [K in keyof V]: readonly [label: string, words?: (value: V[K]) => string] }>;

const plain = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : value === '' || value === null ? 'none' : String(value);

/** The differences between two versions of a form's values: a line for each field. */
export const sidesOf = <V extends object>(words: FieldWords<V>, mine: V, theirs: V): { mine: string; theirs: string } => {
  const differing = (Object.keys(words) as (keyof V)[]).filter((field) => JSON.stringify(mine[field]) !== JSON.stringify(theirs[field]));
  const side = (values: V) =>
    differing
      .map((field) => {
        const [label, wordsOf = plain] = words[field] as readonly [string, ((value: V[keyof V]) => string)?];
        return `${label}: ${wordsOf(values[field])}`;
      })
      .join('\n') || 'Nothing of this form differs.';
  return { mine: side(mine), theirs: side(theirs) };
};
