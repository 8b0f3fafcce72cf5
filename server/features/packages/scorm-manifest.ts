import { cutText } from '#contract/rules/cut-text.ts';
import { packageLimits, type PackageProblem, type ScormActivity, type ScormManifest, type SequencingElement } from '#contract/entities/package.ts';
import { mendingList, PackageRefused, refuse } from '#server/archives/package-refused.ts';
import { allOf, childOf, childrenOf, readXml, type XmlElement } from '#server/archives/xml.ts';

export const manifestFile = 'imsmanifest.xml';
const exportAgain = 'Export the course again from the tool it was made with, as SCORM.';

/** Root files of other kinds of packages, so that the message can name the kind. */
const others: readonly { is: (paths: readonly string[]) => boolean; name: string }[] = [
  { is: (p) => p.includes('cmi5.xml'), name: 'a cmi5 package' },
  { is: (p) => p.includes('tincan.xml'), name: 'a Tin Can (xAPI) package' },
  { is: (p) => p.some((f) => /\.(crs|au|cst)$/i.test(f)), name: 'an AICC package' },
  { is: (p) => p.includes('h5p.json'), name: 'an H5P activity' },
  { is: (p) => p.includes('moodle_backup.xml'), name: 'a Moodle backup' },
  { is: (p) => p.includes('[Content_Types].xml'), name: 'an Office document' },
];

/** Throws, naming the kind of package, if there is no SCORM manifest at the root. */
export const requireManifest = (paths: readonly string[]): void => {
  if (paths.includes(manifestFile)) return;
  const inFolder = paths.find((p) => p.endsWith(`/${manifestFile}`));
  if (inFolder)
    refuse(
      'not_a_package',
      inFolder,
      `The manifest is in the folder “${inFolder.slice(0, -manifestFile.length - 1)}” instead of at the top of the package.`,
      'Open that folder, select everything in it, and create the archive from that.',
    );
  const other = others.find((o) => o.is(paths));
  refuse(
    'not_a_package',
    null,
    other ? `This is ${other.name}, not a SCORM package.` : `This is not a SCORM package: it has no ${manifestFile}.`,
    other?.name === 'an H5P activity' ? 'Upload it as an H5P activity.' : exportAgain,
  );
};

const sequencingOf = ({ name, attributes, text, children }: XmlElement): SequencingElement => ({
  name,
  attributes,
  text,
  children: children.map(sequencingOf),
});
const textOf = (element: XmlElement | undefined, name: string): string | null => childOf(element, name)?.text || null;
const numberOf = (text: string | null): number | null => (text !== null && text !== '' && Number.isFinite(Number(text)) ? Number(text) : null);

const standardOf = (root: XmlElement): ScormManifest['standard'] => {
  const version = textOf(childOf(root, 'metadata'), 'schemaversion')?.toLowerCase() ?? '';
  if (/4th/.test(version)) return '2004 4th';
  if (/3rd/.test(version)) return '2004 3rd';
  if (/2004|1\.3/.test(version)) return '2004 2nd';
  if (/1\.2/.test(version)) return '1.2';
  // Not declared: determined from the vocabulary used.
  const is2004 =
    allOf(root, 'sequencing').length > 0 ||
    allOf(root, 'resource').some((r) => r.attributes.scormType !== undefined) ||
    /imscp_v1p1/.test(root.attributes.xmlns ?? '');
  return is2004 ? '2004 3rd' : '1.2';
};

/** Resolves an address inside the package, with `xml:base` folders and query. Null if it leads outside. */
const addressOf = (...parts: (string | undefined)[]): string | null => {
  const base = 'https://package.invalid/';
  try {
    const url = parts.filter(Boolean).reduce((at, part) => new URL(part as string, at), new URL(base));
    return url.href.startsWith(base) ? url.href.slice(base.length) : null;
  } catch {
    return null;
  }
};
/** The file of an address, in composed characters as in the archive. */
const fileOf = (href: string): string => {
  const path = href.split(/[?#]/)[0] as string;
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path;
  }
};
/** Appends an item's `parameters` to an address as the specification requires. */
const withParameters = (href: string, parameters: string | undefined): string => {
  const more = (parameters ?? '').replace(/^[?&]+/, '');
  if (more === '') return href;
  if (more.startsWith('#')) return href.includes('#') ? href : href + more;
  const [path, hash] = href.split('#');
  return `${path}${path?.includes('?') ? '&' : '?'}${more}${hash === undefined ? '' : `#${hash}`}`;
};

/** Trims identifiers before comparison, as XML requires, including numeric character references to spaces. */
const idOf = (text: string | undefined): string => (text ?? '').trim();

/** The sequencing elements of an item. */
const extensionNames = new Set(['sequencing', 'presentation', 'completionThreshold', 'data']);

/**
 * Reads a SCORM manifest (1.2, and 2004 2nd to 4th edition). Reports all problems at once as PackageRefused; problems that
 * do not prevent playing are in `warnings`.
 */
export const readScormManifest = (bytes: Uint8Array, paths: ReadonlySet<string>): { manifest: ScormManifest; warnings: PackageProblem[] } => {
  const { warnings, mended } = mendingList();
  const root = readXml(bytes, manifestFile, mended);
  const problems: PackageProblem[] = [];
  const wrong = (problem: string, remedy = exportAgain) => problems.push({ code: 'invalid_manifest', file: manifestFile, problem, remedy });
  if (root.name !== 'manifest')
    refuse('invalid_manifest', manifestFile, `“${manifestFile}” starts with <${root.name}> instead of <manifest>.`, exportAgain);

  const resourcesElement = childOf(root, 'resources');
  const resources = new Map(childrenOf(resourcesElement, 'resource').map((r) => [idOf(r.attributes.identifier), r]));
  const scoOf = (r: XmlElement) => (r.attributes.scormType ?? r.attributes.scormtype)?.toLowerCase() === 'sco';
  const organisationsElement = childOf(root, 'organizations');
  const organisations = childrenOf(organisationsElement, 'organization');
  if (organisations.length === 0) wrong('The manifest has no <organization>, so the contents of the course are not defined.');
  for (const o of organisations)
    if (idOf(o.attributes.identifier) === '') wrong('An <organization> has no identifier.', 'Give it an identifier, or export the course again.');
  const chosen = idOf(organisationsElement?.attributes.default);
  const organisation = organisations.find((o) => idOf(o.attributes.identifier) === chosen) ?? organisations[0];

  const ids = new Set<string>();
  let items = 0;
  const split = 'Split the course into several packages.';
  const read = (element: XmlElement, depth: number): ScormActivity => {
    items++;
    if (items > packageLimits.items)
      refuse('too_large', manifestFile, `The course has more than ${packageLimits.items.toLocaleString('en-GB')} items.`, split);
    if (depth > packageLimits.itemDepth)
      refuse('too_large', manifestFile, `The items of the course are nested more than ${packageLimits.itemDepth} deep.`, exportAgain);
    const id = idOf(element.attributes.identifier);
    const title = textOf(element, 'title') ?? id;
    if (id === '') wrong(`The item “${title}” has no identifier.`, 'Give it an identifier, or export the course again.');
    else if (ids.has(id)) wrong(`Two items have the identifier “${id}”.`, 'Give each item its own identifier, or export the course again.');
    ids.add(id);
    const ref = idOf(element.attributes.identifierref);
    const resource = ref ? resources.get(ref) : undefined;
    let href: string | null = null;
    if (ref && !resource) wrong(`The item “${title}” refers to the resource “${ref}”, which is not in the manifest.`);
    if (resource) {
      const named = resource.attributes.href;
      const address = named ? addressOf(root.attributes.base, resourcesElement?.attributes.base, resource.attributes.base, named) : null;
      if (!named) wrong(`The resource “${ref}” of the item “${title}” does not define its start page (href).`);
      else if (address === null)
        problems.push({
          code: 'missing_file',
          file: named,
          problem: `The item “${title}” starts with “${named}”, which is on the internet and not in the package.`,
          remedy: 'A course must contain its pages. Export it again with all its files.',
        });
      else {
        href = withParameters(address, element.attributes.parameters);
        if (!paths.has(fileOf(address)))
          warnings.push({
            code: 'missing_file',
            file: fileOf(address),
            problem: `The item “${title}” starts with “${fileOf(address)}”, which is not in the package, so it cannot be opened.`,
            remedy: exportAgain,
          });
      }
    }
    const rules = textOf(element, 'masteryscore');
    return {
      id,
      title,
      visible: element.attributes.isvisible !== 'false',
      href,
      kind: resource && href !== null ? (scoOf(resource) ? 'sco' : 'asset') : null,
      prerequisites: textOf(element, 'prerequisites'),
      mastery_score: numberOf(rules),
      max_time: textOf(element, 'maxtimeallowed'),
      time_limit_action: textOf(element, 'timelimitaction') ?? textOf(element, 'timeLimitAction'),
      launch_data: textOf(element, 'datafromlms') ?? textOf(element, 'dataFromLMS'),
      extensions: element.children.filter((c) => extensionNames.has(c.name)).map(sequencingOf),
      children: childrenOf(element, 'item').map((item) => read(item, depth + 1)),
    };
  };
  const activities = childrenOf(organisation, 'item').map((item) => read(item, 1));
  const launchable = (list: readonly ScormActivity[]): boolean => list.some((a) => a.href !== null || launchable(a.children));
  if (organisation && problems.length === 0 && !launchable(activities)) wrong('Nothing in the course can be opened, because no item has a page.');
  if (problems.length > 0) throw new PackageRefused(problems);
  const title = textOf(organisation, 'title') ?? activities[0]?.title ?? manifestFile;
  return {
    manifest: {
      kind: 'scorm',
      standard: standardOf(root),
      title: cutText(title, 200),
      identifier: root.attributes.identifier ?? '',
      activities,
      // The organization's own attributes are next to its rules, under its own name.
      extensions: organisation
        ? [
            { name: organisation.name, attributes: organisation.attributes, text: '', children: [] },
            ...organisation.children.filter((c) => extensionNames.has(c.name)).map(sequencingOf),
          ]
        : [],
      collection: childrenOf(childOf(root, 'sequencingCollection'), 'sequencing').map(sequencingOf),
      items,
      scos: [...resources.values()].filter(scoOf).length,
    },
    warnings,
  };
};
