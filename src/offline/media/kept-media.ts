import { mediaCacheName } from '#src/offline/cache-names.ts';

/** The bytes of a course file: from this device where it is kept, else from the server; null where neither has it. */
export const keptMedia = async (url: string): Promise<Blob | null> => {
  const kept = await (await caches.open(mediaCacheName)).match(url).catch(() => undefined);
  if (kept) return kept.blob();
  const response = await fetch(url, { credentials: 'include' }).catch(() => null);
  return response?.ok ? response.blob() : null;
};
