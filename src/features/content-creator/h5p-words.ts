import type { CoursePackage, H5pManifest } from '#contract/entities/package.ts';

export const manifestOf = (pack: CoursePackage): H5pManifest | null => (pack.manifest.kind === 'h5p' ? pack.manifest : null);
/** `H5P.TrueFalse 1.6`, as the activity itself calls its kind, where it does. */
export const kindOf = (pack: CoursePackage): string => {
  const manifest = manifestOf(pack);
  const main = manifest?.libraries.find((l) => `${l.name} ${l.major}.${l.minor}` === manifest.main_library);
  return main?.title ?? manifest?.main_library ?? '';
};
