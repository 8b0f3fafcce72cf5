import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { useBrand } from '#src/access/brand.ts';

const small = (word: string) => (/^[A-Z]{2}/.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1));
const withArticle = (word: string) => `${/^[aeiou]/i.test(word) ? 'an' : 'a'} ${word}`;

/** The organisation's term for organisations: as a heading, within a sentence, and with its article. */
export const entityWords = (brand: Pick<Whitelabel, 'entityAltName' | 'entitiesAltName'>) => ({
  One: brand.entityAltName,
  Many: brand.entitiesAltName,
  one: small(brand.entityAltName),
  many: small(brand.entitiesAltName),
  anOne: withArticle(small(brand.entityAltName)),
});
export const useEntityWords = () => entityWords(useBrand());
