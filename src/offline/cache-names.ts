/** The cache of course files: by address, which ends in the hash of the bytes, so nothing in it is ever out of date. */
export const mediaCacheName = 'lantern-course-media';

/** The last picture of the signed-in person's home, shown at once at the next start. Gone at sign-out and with an update. */
export const lastKnownCacheName = 'lantern-last-known';
/** Pictures of brandings: they never change, so what is kept is right. */
export const brandPicturesCacheName = 'brand-pictures';
