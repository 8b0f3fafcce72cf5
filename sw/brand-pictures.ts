import { brandPicturesCacheName } from '#src/offline/cache-names.ts';

export const isBrandPicture = (url: URL): boolean => url.pathname.startsWith('/api/whitelabel/pictures/');

/** Pictures of brandings that are kept at once; the oldest go first. */
const most = 40;

/** The organisation's sign, with and without a network: kept the first time that it is seen. */
export const answerBrandPicture = async (request: Request): Promise<Response> => {
  const cache = await caches.open(brandPicturesCacheName);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && answer.type === 'basic') {
    await cache.put(request.url, answer.clone()).catch(() => undefined);
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
  }
  return answer;
};
