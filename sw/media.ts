import { mediaCacheName } from '#src/offline/cache-names.ts';
import { rangeResponse } from '#src/offline/media/range-response.ts';

export const isMedia = (url: URL): boolean => url.pathname.startsWith('/api/media/');

/** A course file: from this device where it is kept whole, else from the server. */
export const answerMedia = async (request: Request): Promise<Response> => {
  const kept = await (await caches.open(mediaCacheName)).match(request.url);
  return kept ? rangeResponse(kept, request.headers.get('Range')) : fetch(request);
};
