import type { PackageRefused } from '#server/archives/package-refused.ts';
import type { ProductError } from '#server/product-error.ts';

/** The problem with a file of a package, in its own words. */
export const problemOf = (error: unknown): string => {
  const { problems, fields } = error as Partial<PackageRefused & ProductError>;
  const reason = problems?.[0]?.problem ?? fields?.file?.[0];
  if (!reason) throw error;
  return reason;
};

/** Decodes a text in UTF-8, or in the encoding of old tools. Characters that cannot be stored are replaced. */
export const textOfBytes = (bytes: Uint8Array): string => {
  const decode = (name: string) => new TextDecoder(name, { fatal: name === 'utf-8' }).decode(bytes);
  let text: string;
  try {
    text = decode(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8');
  } catch {
    text = decode('windows-1252');
  }
  return text.replace(/^\ufeff/, '').replace(/\0/g, '\ufffd');
};
