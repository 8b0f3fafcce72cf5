import { type EvidenceType, evidenceLimits } from '#contract/evidence-kinds.ts';
import { PictureRefused, reencoded } from '#src/lib/picture.ts';

/** A file that cannot be used; the message is a sentence to be displayed. */
export class FileRefused extends Error {}

const megabytes = evidenceLimits.bytes / 1024 / 1024;

/**
 * A chosen file as it is stored for upload: pictures re-encoded, anything else unchanged. `typeOf` gives the type of what is not a picture;
 * `kinds` names what can be chosen and `kept` what is not lost, for the messages. Throws FileRefused.
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
    ? await reencoded(blob).catch((error: unknown) => {
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
