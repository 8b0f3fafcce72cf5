import type { EvidenceNote } from '#contract/entities/care-evidence.ts';
import { type EvidenceKind, type EvidenceType, evidenceTypes } from '#contract/evidence-kinds.ts';
import { bytesOf } from '#src/lib/picture.ts';
import type { EvidenceData } from '#src/offline/kinds/certificate/commands.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { chosenFile, FileRefused } from '#src/screens/chosen-file.ts';
import { dropDraft, keepDraft } from '#src/offline/drafts.ts';
import { draftFilePrefix, type PersonDb } from '#src/offline/store/person-db.ts';

/** A file of a draft record. Its bytes are stored beside the draft; `people` is empty until it is answered. */
export type DraftFile = Omit<EvidenceNote, 'people'> & { people: EvidenceNote['people'] | '' };

const fileKey = (id: string) => `${draftFilePrefix}${id}`;
export const kindOf = ({ type }: Pick<EvidenceNote, 'type'>): EvidenceKind => evidenceTypes[type].kind;

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
const rules = { typeOf, kinds: 'a picture, a sound recording or a PDF', kept: 'Nothing of your record is lost.' };

const keep = async (db: PersonDb, data: string, note: DraftFile): Promise<DraftFile> => {
  await keepDraft(db, fileKey(note.id), data, true).catch((error: unknown) => {
    throw new FileRefused('This device is full: the file is not kept. Your record is. Send what waits, or save it without the file.', {
      cause: error,
    });
  });
  return note;
};

/** Stores a file beside the draft; it is on the disk when this resolves. Throws FileRefused with a message. */
export const keepDraftFile = async (db: PersonDb, file: Blob, name: string): Promise<DraftFile> => {
  const { blob, type } = await chosenFile(file, rules);
  const { data, hash, bytes } = await bytesOf(blob);
  return keep(db, data, { id: newId(), type, name: name.slice(0, 200), bytes, hash, people: '', consent: '' });
};

/** Replaces the bytes of a file by a picture in which people were made unrecognisable. The original is deleted. */
export const replaceDraftFile = async (db: PersonDb, old: DraftFile, blob: Blob): Promise<DraftFile> => {
  const { data, hash, bytes } = await bytesOf(blob);
  const note = await keep(db, data, { ...old, id: newId(), hash, bytes, people: 'hidden' });
  await dropDraftFile(db, old.id);
  return note;
};
export const dropDraftFile = (db: PersonDb, id: string): Promise<void> => dropDraft(db, fileKey(id));
export const draftFileBytes = async (db: PersonDb, id: string): Promise<string | null> =>
  ((await db.kv.get(fileKey(id)))?.value as string | undefined) ?? null;

/** The files of a draft with their bytes, ready to be saved. Throws FileRefused if one is missing. */
export const draftFilesWhole = (db: PersonDb, files: readonly DraftFile[]): Promise<EvidenceData[]> =>
  Promise.all(
    files.map(async (note) => {
      const data = await draftFileBytes(db, note.id);
      if (data === null) throw new FileRefused(`“${note.name}” is no longer on this device. Remove it and add it again.`);
      return { ...note, people: note.people || 'nobody', consent: note.consent.trim(), name: note.name.trim(), data };
    }),
  );
