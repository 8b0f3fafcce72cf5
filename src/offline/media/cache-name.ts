/** The cache of course files: by address, which ends in the hash of the bytes, so nothing in it is ever out of date. */
export const mediaCacheName = 'lantern-course-media';
