/** The cache of course files. URLs end in the hash of the bytes, so nothing in it is ever stale. */
export const mediaCacheName = 'lantern-course-media';

/** The home snapshot, displayed at the next start. Deleted at sign-out and with an update. */
export const lastKnownCacheName = 'lantern-last-known';
/** Branding pictures, which are immutable. */
export const brandPicturesCacheName = 'brand-pictures';
