import type { CoursePackage, H5pManifest } from '#contract/entities/package.ts';

export const manifestOf = (pack: CoursePackage): H5pManifest | null => (pack.manifest.kind === 'h5p' ? pack.manifest : null);
/** `H5P.TrueFalse 1.6`, the name that the activity gives its type, if any. */
export const kindOf = (pack: CoursePackage): string => {
  const manifest = manifestOf(pack);
  const main = manifest?.libraries.find((l) => `${l.name} ${l.major}.${l.minor}` === manifest.main_library);
  return main?.title ?? manifest?.main_library ?? '';
};
