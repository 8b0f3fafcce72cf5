import { byteRange } from '#contract/rules/byte-range.ts';
import type { Note } from '#src/offline/media/chunks.ts';

/**
 * Answers a request for a file stored in pieces: the whole file, or a byte range, as requested by video playback. Null if a
 * required piece is missing or damaged; then the server has to answer.
 */
export const rangeResponse = async (
  note: Note,
  slice: (start: number, end: number) => Promise<Blob | null>,
  rangeHeader: string | null,
): Promise<Response | null> => {
  const headers = { 'Content-Type': note.type, 'Accept-Ranges': 'bytes' };
  const range = byteRange(rangeHeader, note.bytes);
  if (range === 'unsatisfiable') return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${note.bytes}` } });
  const { start, end } = range === 'whole' ? { start: 0, end: note.bytes - 1 } : range;
  const body = note.bytes === 0 ? new Blob([]) : await slice(start, end);
  if (!body) return null;
  return range === 'whole'
    ? new Response(body, { status: 200, headers: { ...headers, 'Content-Length': String(note.bytes) } })
    : new Response(body, {
        status: 206,
        headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${note.bytes}`, 'Content-Length': String(end - start + 1) },
      });
};
