/**
 * What a field holds of which a server takes no more than `most` characters, and the sentence at it where it is longer. Cutting off what is
 * pasted, as `maxLength` does, would lose it unseen.
 */
export const atMost = (most: number, value: string): { value: string; error?: string } =>
  value.length > most ? { value, error: `Use no more than ${most.toLocaleString('en-GB')} characters.` } : { value };
