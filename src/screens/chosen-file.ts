import { type EvidenceType, evidenceLimits } from '#contract/evidence-kinds.ts';
import { drawnAnew, PictureRefused } from '#src/lib/picture.ts';

/** A file that cannot be taken, in a sentence for whoever chose it. */
export class FileRefused extends Error {}

const megabytes = evidenceLimits.bytes / 1024 / 1024;

/**
 * What is kept of a chosen file that travels in pieces: a picture drawn anew, anything else as it is. `typeOf` says what else it may be,
 * `kinds` names what can be chosen, `kept` what is not lost. Throws FileRefused with what is wrong.
 */
export const chosenFile = async <T extends EvidenceType>(
  blob: Blob,
  { typeOf, kinds, kept }: { typeOf: (blob: Blob) => T | null; kinds: string; kept: string },
): Promise<{ blob: Blob; type: T | 'image/jpeg' }> => {
  const picture = blob.type.startsWith('image/');
  const type = picture ? 'image/jpeg' : typeOf(blob);
  if (!type) throw new FileRefused(`This kind of file cannot be used. Choose ${kinds}.`);
  if (blob.size === 0) throw new FileRefused('This file is empty.');
  const taken = picture
    ? await drawnAnew(blob).catch((error: unknown) => {
        throw new FileRefused(
          error instanceof PictureRefused && error.reason === 'too-large'
            ? `This picture is too large for a device: use one of up to 50 megapixels. ${kept}`
            : `This file cannot be opened as a picture. Take it again, or choose another one. ${kept}`,
        );
      })
    : blob;
  if (taken.size > evidenceLimits.bytes) throw new FileRefused(`This file is larger than ${megabytes} MB. Choose a smaller one.`);
  if (type === 'application/pdf' && (await taken.slice(0, 5).text()) !== '%PDF-')
    throw new FileRefused(`This file cannot be opened as a PDF. Choose another one. ${kept}`);
  return { blob: taken, type };
};
