import { cutText } from '#contract/rules/cut-text.ts';
import * as z from 'zod';
import { type H5pLibrary, type H5pManifest, packageLimits, type PackageProblem } from '#contract/entities/package.ts';
import { jsonBeyond } from '#server/http/json-body.ts';
import { PackageRefused, refuse } from '#server/archives/package-refused.ts';

const exportAgain = 'Export the activity again from the editor it was made with.';
const Version = z.union([z.number(), z.string()]).transform(Number).pipe(z.int().min(0));
const Dependency = z.object({ machineName: z.string().min(1), majorVersion: Version, minorVersion: Version });
const Definition = z.looseObject({
  title: z.string().min(1),
  mainLibrary: z.string().min(1),
  preloadedDependencies: z.array(Dependency).min(1),
  dynamicDependencies: z.array(Dependency).optional(),
  license: z.string().optional(),
  source: z.string().optional(),
  authors: z.array(z.looseObject({ name: z.string() })).optional(),
  author: z.string().optional(),
});
const File = z.object({ path: z.string().min(1) });
const Library = z.looseObject({
  title: z.string().min(1),
  machineName: z.string().regex(/^[\w0-9\-.]{1,255}$/),
  majorVersion: Version,
  minorVersion: Version,
  patchVersion: Version,
  runnable: z.union([z.literal(0), z.literal(1), z.boolean()]).optional(),
  preloadedJs: z.array(File).optional(),
  preloadedCss: z.array(File).optional(),
  preloadedDependencies: z.array(Dependency).optional(),
  dynamicDependencies: z.array(Dependency).optional(),
});
type Needed = z.infer<typeof Dependency>;

/** The display name of a library, for example `H5P.TrueFalse 1.6`. */
export const libraryName = (l: { machineName: string; majorVersion: number; minorVersion: number }): string =>
  `${l.machineName} ${l.majorVersion}.${l.minorVersion}`;

/** The location of a problem in a definition, for example `preloadedJs[0].path`. */
const placeOf = (path: readonly PropertyKey[]) =>
  path
    .map((p) => (typeof p === 'number' ? `[${p}]` : `.${String(p)}`))
    .join('')
    .replace(/^\./, '');

/** The libraries used by a content, wherever they are named in it. */
const librariesIn = (content: unknown): string[] => {
  const named: string[] = [];
  const open: unknown[] = [content];
  while (open.length > 0) {
    const value = open.pop();
    if (!value || typeof value !== 'object') continue;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'library' && typeof inner === 'string' && /^[\w0-9\-.]+ \d+\.\d+$/.test(inner)) named.push(inner);
      else open.push(inner);
    }
  }
  return named;
};

/**
 * Reads an H5P activity: its definition, content and libraries, and whether all dependencies are available in the package
 * or among `installed` (as named by `libraryName`). Reports all problems at once. `missing` lists dependencies that are
 * not in the package but are installed.
 */
export const readH5pPackage = async <F extends { path: string }>(
  archive: { files: ReadonlyMap<string, F>; read(file: F): Promise<Buffer> },
  installed: ReadonlySet<string> = new Set(),
): Promise<{ manifest: H5pManifest; warnings: PackageProblem[]; missing: string[] }> => {
  const problems: PackageProblem[] = [];
  const json = async (path: string): Promise<unknown> => {
    const file = archive.files.get(path);
    if (!file) return undefined;
    try {
      const text = (await archive.read(file)).toString('utf8').replace(/^\uFEFF/, '');
      const beyond = jsonBeyond(text, { depth: packageLimits.jsonDepth, values: packageLimits.jsonValues });
      if (beyond === 'depth') refuse('too_large', path, `“${path}” nests its values more than ${packageLimits.jsonDepth} deep.`, exportAgain);
      if (beyond) refuse('too_large', path, `“${path}” has more than ${packageLimits.jsonValues.toLocaleString('en-GB')} values.`, exportAgain);
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof PackageRefused) throw error;
      problems.push({
        code: 'malformed_json',
        file: path,
        problem: `“${path}” cannot be read as JSON: ${(error as Error).message}.`,
        remedy: exportAgain,
      });
      return undefined;
    }
  };
  const checked = <S extends z.ZodType>(schema: S, value: unknown, path: string): z.infer<S> | undefined => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues.slice(0, 5))
      problems.push({
        code: 'invalid_definition',
        file: path,
        problem: `“${path}” is not valid at “${placeOf(issue.path) || 'the top'}”: ${issue.message}.`,
        remedy: exportAgain,
      });
    return undefined;
  };

  if (!archive.files.has('h5p.json'))
    refuse(
      'not_a_package',
      null,
      'This is not an H5P activity: it has no h5p.json.',
      archive.files.has('imsmanifest.xml') ? 'Upload it as a SCORM course.' : exportAgain,
    );
  const raw = await json('h5p.json');
  const definition = raw === undefined ? undefined : checked(Definition, raw, 'h5p.json');
  if (!archive.files.has('content/content.json'))
    problems.push({
      code: 'missing_file',
      file: 'content/content.json',
      problem: 'The activity has no content: “content/content.json” is missing.',
      remedy: exportAgain,
    });
  const content = await json('content/content.json');

  const libraries: H5pLibrary[] = [];
  const needs: Needed[] = [...(definition?.preloadedDependencies ?? []), ...(definition?.dynamicDependencies ?? [])];
  for (const path of archive.files.keys()) {
    // A broken translation breaks both editor and player.
    if (/^[^/]+\/language\/[^/]+\.json$/.test(path)) await json(path);
    const folder = /^([^/]+)\/library\.json$/.exec(path)?.[1];
    if (!folder || folder === 'content') continue;
    const read = await json(path);
    const library = read === undefined ? undefined : checked(Library, read, path);
    if (!library) continue;
    for (const file of [...(library.preloadedJs ?? []), ...(library.preloadedCss ?? [])])
      if (!archive.files.has(`${folder}/${file.path.replace(/^\.?\//, '')}`))
        problems.push({
          code: 'missing_file',
          file: `${folder}/${file.path}`,
          problem: `The library ${libraryName(library)} names “${file.path}”, which is not in the package.`,
          remedy: exportAgain,
        });
    needs.push(...(library.preloadedDependencies ?? []), ...(library.dynamicDependencies ?? []));
    libraries.push({
      name: library.machineName,
      major: library.majorVersion,
      minor: library.minorVersion,
      patch: library.patchVersion,
      title: library.title,
      path: folder,
    });
  }

  // The player looks for library folders by name: all with the version or all without.
  const plain = libraries.every((l) => l.path === l.name);
  for (const { name, major, minor, path } of libraries) {
    const folder = plain ? name : `${name}-${major}.${minor}`;
    if (path !== folder)
      problems.push({
        code: 'invalid_definition',
        file: `${path}/library.json`,
        problem: `The folder “${path}” contains the library ${name} ${major}.${minor}, which must be in “${folder}”.`,
        remedy: exportAgain,
      });
  }

  const included = new Set(libraries.map((l) => `${l.name} ${l.major}.${l.minor}`));
  const main = definition?.preloadedDependencies.find((d) => d.machineName === definition.mainLibrary);
  if (definition && !main)
    problems.push({
      code: 'invalid_definition',
      file: 'h5p.json',
      problem: `“h5p.json” names ${definition.mainLibrary} as its main library but does not list it in preloadedDependencies.`,
      remedy: exportAgain,
    });
  const notHere = [...new Set([...needs.map(libraryName), ...librariesIn(content)])].filter((name) => !included.has(name));
  const missing = notHere.filter((name) => !installed.has(name));
  if (missing.length > 0 && problems.length === 0)
    problems.push({
      code: 'missing_libraries',
      file: 'h5p.json',
      problem: `The activity needs libraries that are not in the package: ${missing.join(', ')}.`,
      remedy: 'Export it with its libraries (as a “.h5p” download does), or first upload an activity of the same kind that includes them.',
    });
  if (problems.length > 0 || !definition || !main) throw new PackageRefused(problems);
  return {
    manifest: {
      kind: 'h5p',
      title: cutText(definition.title, 200),
      main_library: libraryName(main),
      libraries,
      licence: definition.license ?? 'U',
      authors: [...(definition.authors ?? []).map((a) => a.name), ...(definition.author ? [definition.author] : [])],
      source: definition.source ?? null,
    },
    warnings: [],
    missing: notHere,
  };
};
