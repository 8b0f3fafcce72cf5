import { readNote, sliceOf } from '#src/offline/media/chunks.ts';
import { rangeResponse } from '#src/offline/media/range-response.ts';
import { noteMediaUse } from '#src/offline/media/budget.ts';

export const isMedia = (url: URL): boolean => url.pathname.startsWith('/api/media/') && !url.pathname.endsWith('/pieces');

/** Answers a course file from the pieces on this device if complete, else from the server. */
export const answerMedia = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url);
  // The app's own downloads must reach the server.
  const note = request.cache === 'no-store' ? null : await readNote(pathname);
  const kept = note && (await rangeResponse(note, (start, end) => sliceOf(pathname, note, start, end), request.headers.get('Range')));
  if (kept) void noteMediaUse(pathname);
  return kept ?? fetch(request);
};
