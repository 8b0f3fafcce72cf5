import { readNote, sliceOf } from '#src/offline/media/chunks.ts';

/** The bytes of a course file, from this device or else from the server; null if neither has it. */
export const keptMedia = async (url: string): Promise<Blob | null> => {
  const note = await readNote(url).catch(() => null);
  const kept = note && (await sliceOf(url, note, 0, note.bytes - 1));
  if (kept) return kept;
  const response = await fetch(url, { credentials: 'include' }).catch(() => null);
  return response?.ok ? response.blob() : null;
};
