import { brandPicturesCacheName } from '#src/offline/cache-names.ts';

export const isBrandPicture = (url: URL): boolean => url.pathname.startsWith('/api/whitelabel/pictures/');

/** Maximum number of cached branding pictures; the oldest are deleted first. */
const most = 40;

/** Answers a branding picture, cached on first use. */
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
