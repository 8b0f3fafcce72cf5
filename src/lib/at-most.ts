/**
 * Props for a field whose value may have at most `most` characters, with an error if it is longer. `maxLength` would cut off pasted
 * text unnoticed.
 */
export const atMost = (most: number, value: string): { value: string; error?: string } =>
  value.length > most ? { value, error: `Use no more than ${most.toLocaleString('en-GB')} characters.` } : { value };
