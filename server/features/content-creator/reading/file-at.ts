import { posix } from 'node:path';
import type { Archive, ArchiveFile } from '#server/archives/archive.ts';

/** A path written as a URL. */
export const decodedPath = (address: string): string => {
  const path = address.replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** The file that a URL in a text of an archive refers to; undefined if it leads outside or to nothing. */
export const fileAt = (archive: Archive, from: string, address: string): ArchiveFile | undefined => {
  if (/^(https?:)?\/\//i.test(address) || /^[a-z]+:/i.test(address)) return undefined;
  const path = decodedPath(address).normalize('NFC');
  const ofBase = /^(?:\$IMS[-_]CC[-_]FILEBASE\$)\/?(.*)$/i.exec(path)?.[1];
  const tries =
    ofBase === undefined
      ? [posix.join(posix.dirname(from), path), path.replace(/^\//, '')]
      : [posix.join('web_resources', ofBase), posix.join(posix.dirname(from), ofBase), ofBase];
  for (const one of tries) {
    const file = archive.files.get(posix.normalize(one));
    if (file) return file;
  }
  // Some programs name another folder than the one that has the file.
  const namesakes = ofBase === undefined ? [] : [...archive.files.values()].filter((f) => posix.basename(f.path) === posix.basename(ofBase));
  return namesakes.length === 1 ? namesakes[0] : undefined;
};
