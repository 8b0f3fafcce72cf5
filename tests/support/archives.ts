import { ZipFile } from 'yazl';

/** Archives made by tests. A file is text or bytes. */
type Content = string | Buffer;

/** A ZIP archive of these files. `tamper` changes the finished bytes in ways no tool would. */
export const zip = async (files: Record<string, Content>, tamper: (bytes: Buffer) => Buffer = (b) => b): Promise<Buffer> => {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content as string), name, { mode: 0o100644 });
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(chunk as Buffer);
  return tamper(Buffer.concat(chunks));
};

/** Replaces a name in an archive, in the directory and the local header, by another of the same length. */
export const renamed = (from: string, to: string) => (bytes: Buffer) => {
  if (from.length !== to.length) throw new Error('the names have to be of one length');
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
};

/** A SCORM 1.2 course with one page that reports its progress. */
export const scormManifest = (
  more: { items?: string; resources?: string; organisation?: string; version?: string; head?: string } = {},
): string => `<?xml version="1.0" encoding="UTF-8"?>
${more.head ?? ''}<manifest identifier="moving" version="1.0" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>${more.version ?? '1.2'}</schemaversion></metadata>
  <organizations default="org">
    <organization ${more.organisation ?? 'identifier="org"'}><title>Moving people safely</title>
      ${more.items ?? '<item identifier="one" identifierref="r1"><title>Before you lift</title><adlcp:masteryscore>80</adlcp:masteryscore><adlcp:datafromlms>a &amp; b</adlcp:datafromlms></item>'}
    </organization>
  </organizations>
  <resources>${more.resources ?? '<resource identifier="r1" type="webcontent" adlcp:scormtype="sco" href="index.html"><file href="index.html"/></resource>'}</resources>
</manifest>`;

/** An H5P activity with its own library. */
export const h5pFiles = (more: Record<string, Content> = {}): Record<string, Content> => ({
  'h5p.json': JSON.stringify({
    title: 'Wash your hands',
    language: 'en',
    mainLibrary: 'Lantern.Steps',
    embedTypes: ['div'],
    license: 'CC BY',
    authors: [{ name: 'Willowbrook', role: 'Author' }],
    preloadedDependencies: [{ machineName: 'Lantern.Steps', majorVersion: 1, minorVersion: 0 }],
  }),
  'content/content.json': JSON.stringify({ steps: ['Wet', 'Soap', 'Rinse'] }),
  'Lantern.Steps-1.0/library.json': JSON.stringify({
    title: 'Steps',
    machineName: 'Lantern.Steps',
    majorVersion: 1,
    minorVersion: 0,
    patchVersion: 0,
    runnable: 1,
    preloadedJs: [{ path: 'steps.js' }],
  }),
  'Lantern.Steps-1.0/steps.js': 'H5P.Steps = function () {};',
  ...more,
});

/** Duplicates an entry of an archive's directory, as some tools do. */
export const doubled = (bytes: Buffer, name: string): Buffer => {
  const end = bytes.length - 22;
  const directory = bytes.readUInt32LE(end + 16);
  let at = directory;
  while (bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)) !== name)
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  const entry = bytes.subarray(at, at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32));
  const record = Buffer.from(bytes.subarray(end));
  record.writeUInt16LE(record.readUInt16LE(8) + 1, 8);
  record.writeUInt16LE(record.readUInt16LE(10) + 1, 10);
  record.writeUInt32LE(record.readUInt32LE(12) + entry.length, 12);
  return Buffer.concat([bytes.subarray(0, end), entry, record]);
};
