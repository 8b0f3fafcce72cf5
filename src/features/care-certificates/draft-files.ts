import type { EvidenceNote } from '#contract/entities/care-evidence.ts';
import { type EvidenceKind, evidenceLimits, type EvidenceType, evidenceTypes } from '#contract/evidence-kinds.ts';
import { bytesOf, drawnAnew, PictureRefused } from '#src/lib/picture.ts';
import type { EvidenceData } from '#src/offline/kinds/certificate/commands.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { dropDraft, keepDraft } from '#src/offline/drafts.ts';
import { draftFilePrefix, type PersonDb } from '#src/offline/store/person-db.ts';

/** A file of a record that is not saved yet. Its bytes lie beside the draft; `people` is empty until it has been said. */
export type DraftFile = Omit<EvidenceNote, 'people'> & { people: EvidenceNote['people'] | '' };

const fileKey = (id: string) => `${draftFilePrefix}${id}`;
export const kindOf = ({ type }: Pick<EvidenceNote, 'type'>): EvidenceKind => evidenceTypes[type].kind;

/** A file that cannot be taken, in a sentence for whoever chose it. */
export class FileRefused extends Error {}

const otherNames: Record<string, EvidenceType> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/aac': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
};
const typeOf = (blob: Blob): EvidenceType | null => {
  const type = blob.type.split(';')[0] ?? '';
  const known = otherNames[type] ?? type;
  return Object.hasOwn(evidenceTypes, known) ? (known as EvidenceType) : null;
};
const megabytes = evidenceLimits.bytes / 1024 / 1024;

/** What is kept of a file: a picture drawn anew, a recording or a PDF as it is. */
const prepared = async (blob: Blob): Promise<{ blob: Blob; type: EvidenceType }> => {
  if (blob.type.startsWith('image/'))
    return drawnAnew(blob).then(
      (picture) => ({ blob: picture, type: 'image/jpeg' }),
      (error: unknown) => {
        throw new FileRefused(
          error instanceof PictureRefused && error.reason === 'too-large'
            ? 'This picture is too large for a device: use one of up to 50 megapixels. Nothing of your record is lost.'
            : 'This file cannot be opened as a picture. Take it again, or choose another one. Nothing of your record is lost.',
        );
      },
    );
  const type = typeOf(blob);
  if (!type || type === 'image/jpeg') throw new FileRefused('This kind of file cannot be used. Choose a picture, a sound recording or a PDF.');
  return { blob, type };
};

const keep = async (db: PersonDb, data: string, note: DraftFile): Promise<DraftFile> => {
  await keepDraft(db, fileKey(note.id), data, true).catch((error: unknown) => {
    throw new FileRefused('This device is full: the file is not kept. Your record is. Send what waits, or save it without the file.', {
      cause: error,
    });
  });
  return note;
};

/** Keeps a file beside the draft; it is on the disk when this resolves. Throws FileRefused with what is wrong, in words. */
export const keepDraftFile = async (db: PersonDb, file: Blob, name: string): Promise<DraftFile> => {
  const { blob, type } = await prepared(file);
  if (blob.size === 0) throw new FileRefused('This file is empty.');
  if (blob.size > evidenceLimits.bytes) throw new FileRefused(`This file is larger than ${megabytes} MB. Choose a smaller one.`);
  const { data, hash, bytes } = await bytesOf(blob);
  return keep(db, data, { id: newId(), type, name: name.slice(0, 200), bytes, hash, people: '', consent: '' });
};

/** The same file with other bytes: a picture in which somebody was made unrecognisable. What could be recognised is gone. */
export const replaceDraftFile = async (db: PersonDb, old: DraftFile, blob: Blob): Promise<DraftFile> => {
  const { data, hash, bytes } = await bytesOf(blob);
  const note = await keep(db, data, { ...old, id: newId(), hash, bytes, people: 'hidden' });
  await dropDraftFile(db, old.id);
  return note;
};
export const dropDraftFile = (db: PersonDb, id: string): Promise<void> => dropDraft(db, fileKey(id));
export const draftFileBytes = async (db: PersonDb, id: string): Promise<string | null> =>
  ((await db.kv.get(fileKey(id)))?.value as string | undefined) ?? null;

/** The files of a draft with their bytes, ready to be saved. Throws FileRefused where one is not there any more. */
export const draftFilesWhole = (db: PersonDb, files: readonly DraftFile[]): Promise<EvidenceData[]> =>
  Promise.all(
    files.map(async (note) => {
      const data = await draftFileBytes(db, note.id);
      if (data === null) throw new FileRefused(`“${note.name}” is not on this device any more. Take it out and add it again.`);
      return { ...note, people: note.people || 'nobody', consent: note.consent.trim(), name: note.name.trim(), data };
    }),
  );
