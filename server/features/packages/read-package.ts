import { cutText } from '#contract/rules/cut-text.ts';
import { packageLimits, type PackageManifest, type PackageProblem } from '#contract/entities/package.ts';
import { type Archive, openArchive } from '#server/archives/archive.ts';
import { warningsOfHosts } from '#server/features/packages/asks-elsewhere.ts';
import { readH5pPackage } from '#server/features/packages/h5p-package.ts';
import { mendingList, type Mended, refuse } from '#server/archives/package-refused.ts';
import { manifestFile, readScormManifest, requireManifest } from '#server/features/packages/scorm-manifest.ts';

export type PackageKind = 'scorm' | 'h5p';
export type ReadPackage = { manifest: PackageManifest; warnings: PackageProblem[]; missing: string[] };

/** Characters that the database cannot store as text: NUL and unpaired surrogates. They are not readable either. */
const unstorable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** Replaces every unstorable character in a manifest; `onReplaced` receives the affected texts. */
const storable = (value: unknown, onReplaced: (text: string) => void): unknown => {
  if (typeof value === 'string') {
    const text = value.replace(unstorable, '\uFFFD');
    if (text !== value) onReplaced(text);
    return text;
  }
  if (Array.isArray(value)) return value.map((inner) => storable(inner, onReplaced));
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key, onReplaced), storable(inner, onReplaced)]));
  return value;
};

const manifestOf = async (archive: Archive, kind: PackageKind, installed: ReadonlySet<string>): Promise<ReadPackage> => {
  if (kind === 'h5p') return readH5pPackage(archive, installed);
  const paths = [...archive.files.keys()];
  requireManifest(paths);
  const file = archive.files.get(manifestFile) ?? refuse('not_a_package', null, `There is no ${manifestFile}.`, 'Export the course again as SCORM.');
  return { ...readScormManifest(await archive.read(file), new Set(paths)), missing: [] };
};

/**
 * Parses an uploaded package: its manifest, repairs, and the libraries it needs from other packages. It processes untrusted
 * input, so it runs in a worker thread (`parsePackage`). Throws PackageRefused.
 */
export const readPackage = async ({ path, kind, installed }: { path: string; kind: PackageKind; installed: string[] }): Promise<ReadPackage> => {
  const archive = await openArchive(path);
  try {
    const { manifest, warnings, missing } = await manifestOf(archive, kind, new Set(installed));
    const hosts = kind === 'scorm' ? await warningsOfHosts(archive) : [];
    const named = kind === 'h5p' ? 'h5p.json' : manifestFile;
    const mending = mendingList();
    const replaced: string[] = [];
    const mended: Mended = mending.mended;
    const clean = storable(manifest, (text) => replaced.push(text)) as PackageManifest;
    if (replaced.length > 0)
      mended(named, `“${named}” contains characters that are not text, for example in “${cutText(replaced[0] as string, 80)}”. They were replaced.`);
    if (JSON.stringify(clean).length > packageLimits.manifestLength)
      refuse('too_large', named, `“${named}” is larger than the limit for a course.`, 'Split the course into several packages.');
    return { manifest: clean, warnings: [...archive.warnings, ...warnings, ...hosts, ...mending.warnings], missing };
  } finally {
    archive.close();
  }
};
