import { open, readFile, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { type FoundQuestion, type QuestionFile, questionFileLimits } from '#contract/entities/question-file.ts';
import { picturesOf, withPictures } from '#contract/rules/question-pictures.ts';
import { isCartridge } from '#server/features/content-creator/reading/cartridge.ts';
import { problemOf, textOfBytes } from '#server/features/content-creator/reading/imported-text.ts';
import { notTaken } from '#server/features/content-creator/reading/found-question.ts';
import { readGift } from '#server/features/content-creator/reading/gift.ts';
import { PictureFiles } from '#server/features/content-creator/reading/pictures.ts';
import { readMoodleXml } from '#server/features/content-creator/reading/moodle-xml.ts';
import { readQtiItem } from '#server/features/content-creator/reading/qti.ts';
import { readQti1 } from '#server/features/content-creator/reading/qti-1.ts';
import { tooManyQuestions } from '#server/features/content-creator/reading/too-many.ts';
import { type Archive, openArchive } from '#server/archives/archive.ts';
import { allOf, childOf, childrenOf, readMixedXml, type XmlElement } from '#server/archives/xml.ts';
import { invalid } from '#server/product-error.ts';

const manifestName = 'imsmanifest.xml';
const nothing = () => undefined;
const refusedFile = (message: string) => invalid('file', message);
const kindsOfFiles = 'Choose a file in GIFT (.gift, .txt), QTI 1.2 to 2.2 (.xml, .zip), Moodle XML (.xml) or a Common Cartridge (.imscc).';

/** The questions of one XML document, in any of the formats. */
const readRoot = (root: XmlElement, pictures: PictureFiles): QuestionFile => {
  switch (root.name) {
    case 'quiz':
      return readMoodleXml(root, pictures);
    case 'assessmentItem':
      return { format: 'qti', title: root.attributes.title ?? '', questions: [readQtiItem(root, 'question 1', pictures.finder())], notes: [] };
    case 'questestinterop': {
      const { title, questions } = readQti1(root, (i) => `question ${i + 1}`, pictures.finder());
      return { format: 'qti', title, questions, notes: [] };
    }
    case 'assessmentTest':
      throw refusedFile('This is the plan of a QTI test, without its questions. Choose the package (.zip) that it belongs to.');
    case 'qti-assessment-item':
    case 'qti-assessment-test':
      throw refusedFile('This is QTI 3, which cannot be read. Export it as QTI 2.1 or 2.2.');
    default:
      throw refusedFile(`This file starts with <${root.name}>, which is none of the formats that can be read. ${kindsOfFiles}`);
  }
};

const isItem = (resource: XmlElement) => /^imsqti_(apip)?item_xmlv2p\d/i.test(resource.attributes.type ?? '');
const isTest = (resource: XmlElement) => /^imsqti_(apip)?(test|assessment)_xmlv2p\d/i.test(resource.attributes.type ?? '');
const pathOf = (from: string, href: string): string => {
  try {
    return posix.join(posix.dirname(from), decodeURIComponent(href)).normalize('NFC');
  } catch {
    return posix.join(posix.dirname(from), href);
  }
};

/** What a Common Cartridge contains beside questions, by resource type. */
const besideQuestions: readonly [type: RegExp, one: string, many: string][] = [
  [/^webcontent$/, 'page or file', 'pages or files'],
  [/^imswl_/, 'web link', 'web links'],
  [/^imsdt_/, 'discussion', 'discussions'],
  [/^imsbasiclti_/, 'tool of another site', 'tools of other sites'],
  [/^assignment_/, 'assignment', 'assignments'],
];
/** Reports what a Common Cartridge contains beside its questions; null for any other package. */
const cartridgeWords = (manifest: XmlElement, resources: readonly XmlElement[]): string | null => {
  if (!isCartridge(manifest)) return null;
  const counted = besideQuestions.flatMap(([type, one, many]) => {
    const n = resources.filter((r) => type.test(r.attributes.type ?? '')).length;
    return n > 0 ? [`${n} ${n === 1 ? one : many}`] : [];
  });
  return counted.length > 0 ? `It also has ${counted.join(', ')}, which are left behind.` : 'It has nothing else that is used here.';
};

/** The questions of a QTI package, or of a Common Cartridge: in the order of its test, else of its manifest. */
const readQtiPackage = async (archive: Archive, pictures: PictureFiles): Promise<QuestionFile> => {
  const manifestFile = archive.files.get(manifestName);
  if (!manifestFile) {
    const inFolder = [...archive.files.keys()].find((path) => path.endsWith(`/${manifestName}`));
    throw refusedFile(
      inFolder
        ? `The list of its contents is in the folder “${posix.dirname(inFolder)}” instead of at the top. Open that folder, select everything in it, and make the archive from that.`
        : `There is no ${manifestName} in this archive, so it is no QTI package. Export the questions again as QTI 2.1 or 2.2.`,
    );
  }
  const read = async (path: string): Promise<XmlElement> => {
    const file = archive.files.get(path);
    if (!file) throw refusedFile(`“${path}” is named in ${manifestName}, but is not in the archive.`);
    return readMixedXml(await archive.read(file), path, nothing);
  };
  const manifest = await read(manifestName);
  const resources = childrenOf(childOf(manifest, 'resources'), 'resource');
  const listed = resources.filter(isItem).map((r) => pathOf(manifestName, r.attributes.href ?? childOf(r, 'file')?.attributes.href ?? ''));
  const order: string[] = [];
  const notes: string[] = [];
  let title = '';
  for (const test of resources.filter(isTest)) {
    const path = pathOf(manifestName, test.attributes.href ?? '');
    const root = await read(path).catch((error: unknown) => {
      notes.push(`The plan of its test cannot be read: ${problemOf(error)}`);
      return null;
    });
    title ||= root?.attributes.title ?? '';
    if (root) order.push(...allOf(root, 'assessmentItemRef').map((ref) => pathOf(path, ref.attributes.href ?? '')));
  }
  const paths = [...new Set([...order, ...listed])];
  if (paths.length > questionFileLimits.questions) throw tooManyQuestions(paths.length);
  const questions: FoundQuestion[] = [];
  for (const [i, path] of paths.entries()) {
    const place = `question ${i + 1} (${path})`;
    if (!archive.files.has(path)) {
      questions.push(notTaken(place, path, 'Its file is not in the archive.'));
      continue;
    }
    try {
      const root = await read(path);
      questions.push(
        root.name === 'assessmentItem'
          ? readQtiItem(root, place, pictures.inArchive(archive, path))
          : notTaken(place, path, 'It is no item of QTI 2.'),
      );
    } catch (error) {
      questions.push(notTaken(place, path, problemOf(error)));
    }
  }
  // Packages of QTI 1.2 hold documents of many questions.
  for (const resource of resources.filter((r) => /^imsqti_xmlv1p[12]/i.test(r.attributes.type ?? ''))) {
    const path = pathOf(manifestName, resource.attributes.href ?? childOf(resource, 'file')?.attributes.href ?? '');
    try {
      const part = readQti1(await read(path), (n) => `question ${questions.length + n + 1} (${path})`, pictures.inArchive(archive, path));
      title ||= part.title;
      questions.push(...part.questions);
    } catch (error) {
      notes.push(`“${path}” cannot be read: ${problemOf(error)}`);
    }
  }
  if (questions.length > questionFileLimits.questions) throw tooManyQuestions(questions.length);
  const beside = cartridgeWords(manifest, resources);
  if (questions.length === 0)
    throw refusedFile(
      notes[0] ?? (beside ? `There is no question in this Common Cartridge. ${beside}` : `${manifestName} of this archive names no question.`),
    );
  if (beside) notes.unshift(`This is a Common Cartridge: only its questions are taken here. The whole of it is imported among e-learning. ${beside}`);
  return { format: 'qti', title, questions, notes };
};

/** Reads the questions of a file, with the usable ones of its pictures; `then` is called while these can still be read. */
const withQuestions = async <T>(path: string, then: (file: QuestionFile, pictures: PictureFiles) => Promise<T>): Promise<T> => {
  const pictures = new PictureFiles();
  const settled = async (read: QuestionFile): Promise<T> => {
    const questions: FoundQuestion[] = [];
    for (const found of read.questions) questions.push(await pictures.settled(found));
    return then({ ...read, questions }, pictures);
  };
  const file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0).finally(() => file.close());
  if (buffer.toString('latin1', 0, 2) === 'PK') {
    const archive = await openArchive(path);
    try {
      return await settled(await readQtiPackage(archive, pictures));
    } finally {
      archive.close();
    }
  }
  const bytes = await readFile(path);
  const text = textOfBytes(bytes);
  if (text.trim() === '') throw refusedFile('This file is empty.');
  if (/^\s*<(\?xml|[a-z!])/i.test(text.slice(0, 2000)) && !/^\s*<(p|br|b|i|div|span)\b/i.test(text))
    return settled(readRoot(readMixedXml(bytes, 'this file', nothing), pictures));
  if (text.slice(0, 4000).includes('\ufffd') && bytes.subarray(0, 4000).includes(0)) throw refusedFile(`This is no text. ${kindsOfFiles}`);
  const gift = readGift(text, pictures.finder());
  if (!gift.questions.some((q) => q.question) && gift.notes.length === 0 && !/[{}]/.test(text))
    throw refusedFile(`There is no question in this file. ${kindsOfFiles}`);
  return settled(gift);
};

/**
 * Reads the questions of an uploaded file, with its pictures only counted. It processes untrusted input, so it runs in a worker thread
 * (`parseQuestions`). Throws `invalid_input` for a file in none of the formats, and an error with `problems` like PackageRefused.
 */
export const readQuestionFile = ({ path }: { path: string }): Promise<QuestionFile> =>
  withQuestions(path, async (file) => ({
    ...file,
    questions: file.questions.map((found) => ({ ...found, question: found.question && withPictures(found.question, () => null) })),
  }));

/** Chosen questions of a file, with hashes for pictures, and for each hash the file to which the picture was written. */
export type ReadPictures = {
  questions: { index: number; place: string; question: AuthoredQuestion }[];
  pictures: { hash: string; name: string; file: string }[];
};
/** Reads chosen questions of the same file, and writes their pictures to files whose names begin with `into`. Runs in a worker thread. */
export const readQuestionPictures = ({ path, into, chosen }: { path: string; into: string; chosen: readonly number[] }): Promise<ReadPictures> =>
  withQuestions(path, async (file, held) => {
    const questions = [...new Set(chosen)].map((index) => {
      const { place = '', question } = file.questions[index] ?? {};
      if (!question) throw invalid('questions', `There is no question ${index + 1} in this file that could be taken.`);
      return { index, place, question };
    });
    const pictures: ReadPictures['pictures'] = [];
    for (const hash of new Set(questions.flatMap(({ question }) => picturesOf(question).map(({ picture }) => picture.media.hash)))) {
      const found = await held.bytesOf(hash);
      if (!found) continue;
      const written = `${into}.${pictures.length}.picture`;
      await writeFile(written, found.bytes);
      pictures.push({ hash, name: found.name, file: written });
    }
    return { questions, pictures };
  });
