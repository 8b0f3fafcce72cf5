import type { PackageProblem } from '#contract/entities/package.ts';
import { fileType } from '#contract/rules/file-types.ts';

/** Pages are scanned up to this size: the warning is a hint to the author, and the player reports the rest when the package is tried. */
const mostPages = 200;
const mostBytes = 10 * 1024 * 1024;
const tags = /<(?:script|link|img|iframe|frame|video|audio|source|embed|object)\b([^<>]{0,2000})>/gi;
const address = /\b(?:src|href|data)\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]{1,500})/i;

/** The hosts from which a package's pages load something, not including links. */
export const hostsIn = (page: string): string[] => {
  const found = new Set<string>();
  for (const [tag, attributes = ''] of page.matchAll(tags)) {
    const url = address.exec(attributes)?.[1];
    // Of link elements, only style sheets are loaded.
    if (!url || (/^<link/i.test(tag) && !/\brel\s*=\s*["']?[^"'>]*stylesheet/i.test(attributes))) continue;
    if (URL.canParse(url, 'https://package.invalid/')) found.add(new URL(url, 'https://package.invalid/').host);
  }
  return [...found];
};

/** Warns about a package that loads parts from other hosts, which are blocked and would be missing offline. */
export const warningsOfHosts = async <F extends { path: string; bytes: number }>(archive: {
  files: ReadonlyMap<string, F>;
  read(file: F): Promise<Buffer>;
}): Promise<PackageProblem[]> => {
  const hosts = new Map<string, string>();
  let bytes = 0;
  const pages = [...archive.files.values()].filter((f) => {
    if (!fileType(f.path)?.startsWith('text/html')) return false;
    bytes += f.bytes;
    return bytes <= mostBytes;
  });
  for (const file of pages.slice(0, mostPages)) {
    // A page that cannot be unpacked is refused when it is stored.
    const page = await archive.read(file).catch(() => null);
    for (const host of hostsIn(page?.toString('latin1') ?? '')) if (!hosts.has(host)) hosts.set(host, file.path);
  }
  const [first] = hosts;
  if (!first) return [];
  return [
    {
      code: 'asks_elsewhere',
      file: first[1],
      problem: `It loads parts of its pages from ${[...hosts.keys()].slice(0, 5).join(', ')}${hosts.size > 5 ? ' …' : ''}, first in “${first[1]}”. They will not be shown: a course can only use files in its package.`,
      remedy: 'Try it below. If something is missing or does not work, export the course with those files included.',
    },
  ];
};
