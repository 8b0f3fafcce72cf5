import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { webAddress } from '#contract/rules/links.ts';
import { partLimits } from '#contract/entities/authored-parts.ts';
import type { Block, Media } from '#contract/entities/content.ts';
import { CourseDescription, courseFile, type CourseFileLine, type ReadCourse } from '#contract/entities/course-file.ts';
import { packageLimits } from '#contract/entities/package.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { decodedPath, fileAt } from '#server/features/content-creator/reading/file-at.ts';
import { blocksOfHtml } from '#server/features/content-creator/reading/html-blocks.ts';
import { problemOf, textOfBytes } from '#server/features/content-creator/reading/imported-text.ts';
import { whyNoPicture } from '#server/features/content-creator/reading/pictures.ts';
import { readQti1 } from '#server/features/content-creator/reading/qti-1.ts';
import type { Archive, ArchiveFile } from '#server/archives/archive.ts';
import { allOf, childOf, childrenOf, readMixedXml, type XmlElement } from '#server/archives/xml.ts';
import { invalid } from '#server/product-error.ts';

/**
 * Courses of other systems (Common Cartridge 1.1 to 1.3): modules become lessons; pages, files and web links topics; assessments quizzes.
 * What cannot be imported is reported.
 */

type Lesson = CourseDescription['lessons'][number];
type Topic = Lesson['topics'][number];
type Quiz = CourseDescription['quizzes'][number];
/** An item of a module. */
type Item = { title: string; resource: XmlElement | null /** It names something that is not there. */; lost: boolean };

const pictures = /\.(png|jpe?g|gif|webp)$/i;
const films = /\.(mp4|webm)$/i;
const sounds = /\.(mp3|m4a|wav)$/i;
const downloads = /\.(pdf|docx|xlsx|pptx|odt|ods|odp|csv|txt)$/i;
const isPage = (path: string) => /\.x?html?$/i.test(path);
const nameOf = (path: string) => posix.basename(path);
const quoted = (title: string) => `“${cutText(title, 120)}”`;
const noCounterpart: readonly [type: RegExp, word: string][] = [
  [/^imsdt_/, 'discussion'],
  [/^imsbasiclti_/, 'tool of another site'],
  [/^assignment_/, 'assignment'],
  [/^imsqti_.*question-bank/, 'question bank'],
  [/^associatedcontent\//, 'assignment'],
];

/** Whether the manifest of an archive is one of a Common Cartridge. */
export const isCartridge = (manifest: XmlElement): boolean => /common cartridge/i.test(childOf(childOf(manifest, 'metadata'), 'schema')?.text ?? '');

export const readCartridge = async (archive: Archive, manifest: XmlElement): Promise<ReadCourse> => {
  const left_out: string[] = [];
  const leave = (sentence: string) => left_out.push(cutText(sentence, 500));
  const lines = new Map<string, CourseFileLine>();
  const usedPaths = new Set<string>();
  const resources = childrenOf(childOf(manifest, 'resources'), 'resource');
  const byId = new Map(resources.map((r) => [r.attributes.identifier ?? '', r]));
  const hrefOf = (resource: XmlElement) => decodedPath(resource.attributes.href ?? childOf(resource, 'file')?.attributes.href ?? '').normalize('NFC');
  const taken = new Set<XmlElement>();

  const lineOf = async (file: ArchiveFile): Promise<CourseFileLine> => {
    const before = lines.get(file.path);
    if (before) return before;
    const hasher = createHash('sha256');
    for await (const piece of await archive.open(file)) hasher.update(piece as Buffer);
    const line = { hash: hasher.digest('hex'), path: file.path, name: cutText(nameOf(file.path), 255), bytes: file.bytes };
    lines.set(file.path, line);
    return line;
  };
  /** A file of the archive as a block. Its kind follows from its name; it is inspected when it is stored. */
  const blockOf = async (file: ArchiveFile, title: string, alt = ''): Promise<Block | null> => {
    const words = cutText(title || nameOf(file.path), 200);
    const kind = pictures.test(file.path)
      ? 'image'
      : films.test(file.path)
        ? 'video'
        : sounds.test(file.path)
          ? 'audio'
          : downloads.test(file.path)
            ? 'download'
            : null;
    if (!kind || file.bytes === 0 || (kind === 'image' && file.bytes > packageLimits.readBytes)) return null;
    const { hash, bytes } = await lineOf(file);
    const media = { hash, url: '', type: '', bytes };
    if (kind === 'image') return { kind, media, alt, caption: '' };
    if (kind === 'video') return { kind, media, title: words, poster: null, transcript: '', captions: [] };
    return kind === 'audio' ? { kind, media, title: words, transcript: '' } : { kind, media, title: words };
  };
  const pageOf = async (path: string, title: string): Promise<Topic | null> => {
    const file = archive.files.get(path);
    if (!file) {
      leave(`The page ${quoted(title || path)}: its file is not in the archive.`);
      return null;
    }
    // References are resolved first: what becomes of each file is known before the page is read.
    const known = new Map<string, Block | null>();
    const html = textOfBytes(await archive.read(file));
    const usedPictures: { file: ArchiveFile; key: string; title: string; alt: string }[] = [];
    const keyOf = (kind: string, at: string) => `${kind}:${at}`;
    blocksOfHtml(html, {
      picture: (source, alt) => {
        const named = fileAt(archive, path, source);
        if (named && pictures.test(named.path)) usedPictures.push({ file: named, key: keyOf('picture', source), title: '', alt });
        return null;
      },
      file: (address, words) => {
        const named = fileAt(archive, path, address);
        if (named && !isPage(named.path)) usedPictures.push({ file: named, key: keyOf('file', address), title: words, alt: '' });
        return null;
      },
    });
    for (const { file: named, key, title: words, alt } of usedPictures) {
      usedPaths.add(named.path);
      if (!known.has(key)) known.set(key, await blockOf(named, words, alt));
    }
    const read = blocksOfHtml(html, {
      picture: (source, alt) => {
        const block = known.get(keyOf('picture', source)) ?? null;
        return block?.kind === 'image' ? { ...block, alt } : null;
      },
      file: (address) => known.get(keyOf('file', address)) ?? null,
    });
    const name = cutText(title || read.title || nameOf(path), 200);
    for (const what of read.changed) leave(`In ${quoted(name)}: ${what}`);
    if (read.blocks.length === 0) {
      leave(`The page ${quoted(name)} has nothing in it that can be taken.`);
      return null;
    }
    if (read.blocks.length > partLimits.blocks) leave(`The page ${quoted(name)} is too long: only its first ${partLimits.blocks} parts are taken.`);
    return topic(name, read.blocks.slice(0, partLimits.blocks));
  };
  const topic = (title: string, blocks: Block[]): Topic => ({
    ...{ title: cutText(title.trim(), 200) || 'Untitled', hidden: false, skippable: false, is_child: false, blocks },
  });
  const xmlAt = async (path: string): Promise<XmlElement | null> => {
    const file = archive.files.get(path);
    return file ? readMixedXml(await archive.read(file), path, () => undefined) : null;
  };
  const linkOf = async (path: string, title: string): Promise<Topic | null> => {
    const root = await xmlAt(path).catch(() => null);
    const href = root ? (allOf(root, 'url')[0]?.attributes.href ?? '') : '';
    if (webAddress(href) === null) {
      leave(`The web link ${quoted(title)}: its address cannot be read.`);
      return null;
    }
    const name = title || (root ? (allOf(root, 'title')[0]?.text ?? '') : '') || href;
    return topic(name, [
      {
        kind: 'text',
        doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: name, marks: [{ type: 'link', attrs: { href } }] }] }] },
      },
    ]);
  };
  const beginningOf = async (file: ArchiveFile): Promise<Buffer> => {
    for await (const piece of await archive.open(file)) return piece as Buffer;
    return Buffer.alloc(0);
  };
  const quizzes: Quiz[] = [];
  const quizOf = async (path: string, title: string): Promise<void> => {
    const root = await xmlAt(path).catch((error: unknown) => {
      leave(`The quiz ${quoted(title || path)}: ${problemOf(error)}`);
      return null;
    });
    if (!root) {
      if (!archive.files.has(path)) leave(`The quiz ${quoted(title || path)}: its file is not in the archive.`);
      return;
    }
    const placeOf = (i: number) => `question ${i + 1}`;
    // References are resolved first: what becomes of each picture is known before the quiz is read.
    const known = new Map<string, Media | { why: string }>();
    const missing = { why: 'not in this file' };
    const named = new Set<ArchiveFile>();
    readQti1(root, placeOf, (source) => {
      const file = fileAt(archive, path, source);
      if (file && pictures.test(file.path)) named.add(file);
      return missing;
    });
    for (const file of named) {
      usedPaths.add(file.path);
      const why = whyNoPicture(await beginningOf(file));
      const block = why ? null : await blockOf(file, '');
      known.set(file.path, block?.kind === 'image' ? block.media : { why: why ?? 'of a kind that is not taken' });
    }
    const read = readQti1(root, placeOf, (source) => {
      const file = fileAt(archive, path, source);
      if (!file) return missing;
      return known.get(file.path) ?? { why: 'of a kind that is not taken' };
    });
    const name = cutText(title || read.title || 'Quiz', 200);
    const questions = read.questions.flatMap((q) => {
      for (const note of [...(q.question ? [] : [q.why ?? 'It cannot be taken.']), ...q.notes])
        leave(`${quoted(name)}, ${q.place} (${cutText(q.text, 80)}): ${note}`);
      return q.question ? [q.question] : [];
    });
    if (questions.length === 0) {
      leave(`The quiz ${quoted(name)} has no question that can be taken.`);
      return;
    }
    if (questions.length > partLimits.questions) leave(`The quiz ${quoted(name)}: only its first ${partLimits.questions} questions are taken.`);
    quizzes.push({
      ...{ title: name, published: true, is_randomized: false, pass_percent: 80, max_tries: 0, question_qty: 0 },
      questions: questions.slice(0, partLimits.questions),
    });
  };

  const topicsOf = async ({ title, resource, lost }: Item): Promise<Topic[]> => {
    if (!resource) {
      leave(lost ? `${quoted(title)} leads to something that is not in the file.` : `The heading ${quoted(title)}: there is nothing below it.`);
      return [];
    }
    if (taken.has(resource)) return [];
    taken.add(resource);
    const type = resource.attributes.type ?? '';
    const path = hrefOf(resource);
    const beside = noCounterpart.find(([kind]) => kind.test(type));
    if (beside) {
      leave(`The ${beside[1]} ${quoted(title || path)} has no counterpart here.`);
      return [];
    }
    const one = (found: Topic | null) => (found ? [found] : []);
    if (/^imswl_/.test(type)) return one(await linkOf(path, title));
    if (/^imsqti_xmlv1p[12]/.test(type)) {
      await quizOf(path, title);
      return [];
    }
    if (type !== 'webcontent') {
      leave(`${quoted(title || path)} is of a kind that is not known here (${cutText(type, 60)}).`);
      return [];
    }
    usedPaths.add(path);
    if (isPage(path)) return one(await pageOf(path, title));
    const file = archive.files.get(path);
    const block = file ? await blockOf(file, title) : null;
    if (!block) {
      leave(
        `The file ${quoted(title || path)}: ${!file ? 'it is not in the archive.' : file.bytes === 0 ? 'it is empty.' : 'a file of this kind is not taken.'}`,
      );
      return [];
    }
    return [topic(title || nameOf(path), [block])];
  };

  /** The entries of a module and of its submodules, in order. */
  const itemsOf = (item: XmlElement, depth = 0): Item[] => {
    const inner = depth > 20 ? [] : childrenOf(item, 'item');
    const title = childOf(item, 'title')?.text ?? '';
    const ref = item.attributes.identifierref;
    const ownItem = ref !== undefined || inner.length === 0 ? [{ title, resource: byId.get(ref ?? '') ?? null, lost: ref !== undefined }] : [];
    return [...ownItem, ...inner.flatMap((i) => itemsOf(i, depth + 1))];
  };
  const organisation = childOf(childOf(manifest, 'organizations'), 'organization');
  const roots = childrenOf(organisation, 'item');
  // The outermost item contains all modules and is not one itself.
  const modules = roots.length === 1 && roots[0]?.attributes.identifierref === undefined ? childrenOf(roots[0], 'item') : roots;
  const title = cutText(manifestTitle(manifest) || 'Course', 200);
  const lessons: Lesson[] = [];
  const addLesson = (name: string, topics: Topic[]) => {
    if (topics.length === 0) return;
    if (topics.length > partLimits.topics) leave(`The module ${quoted(name)}: only its first ${partLimits.topics} parts are taken.`);
    lessons.push({ title: cutText(name.trim(), 200) || 'Module', published: true, question_qty: 0, topics: topics.slice(0, partLimits.topics) });
  };
  let loose: Topic[] = [];
  for (const module of modules) {
    const isModule = module.attributes.identifierref === undefined;
    const found: Topic[] = [];
    for (const item of isModule ? childrenOf(module, 'item').flatMap((i) => itemsOf(i)) : itemsOf(module)) found.push(...(await topicsOf(item)));
    if (!isModule) {
      loose.push(...found);
      continue;
    }
    addLesson(title, loose);
    loose = [];
    addLesson(childOf(module, 'title')?.text ?? '', found);
  }
  addLesson(title, loose);
  // Pages and quizzes outside any module.
  const others: Topic[] = [];
  for (const resource of resources) {
    const type = resource.attributes.type ?? '';
    if (taken.has(resource) || !(/^imsqti_xmlv1p[12]/.test(type) || /^imswl_/.test(type) || (type === 'webcontent' && isPage(hrefOf(resource)))))
      continue;
    others.push(...(await topicsOf({ title: '', resource, lost: false })));
  }
  addLesson('Other pages', others);
  for (const resource of resources) {
    const word = noCounterpart.find(([kind]) => kind.test(resource.attributes.type ?? ''))?.[1];
    if (taken.has(resource) || !word || /^course_settings\//.test(hrefOf(resource))) continue;
    if (/^associatedcontent\//.test(resource.attributes.type ?? '') && !isPage(hrefOf(resource))) continue;
    leave(`The ${word} ${quoted(hrefOf(resource) || (resource.attributes.identifier ?? ''))} has no counterpart here.`);
  }
  const unused = resources.flatMap((r) => {
    const path = hrefOf(r);
    return r.attributes.type === 'webcontent' && !taken.has(r) && !usedPaths.has(path) ? [nameOf(path)] : [];
  });
  if (unused.length > 0)
    leave(`${unused.length === 1 ? 'A file that no page shows' : `${unused.length} files that no page shows`}: ${unused.join(', ')}`);
  if (lessons.length === 0 && quizzes.length === 0)
    throw invalid('file', `There is nothing in this Common Cartridge that can be taken. ${left_out.slice(0, 3).join(' ')}`.trim());
  if (lessons.length > partLimits.lessons) leave(`Only the first ${partLimits.lessons} of ${lessons.length} modules are taken.`);
  if (quizzes.length > partLimits.quizzes) leave(`Only the first ${partLimits.quizzes} of ${quizzes.length} quizzes are taken.`);
  const files = [...new Map([...lines.values()].map((l) => [l.hash, l])).values()];
  if (files.length > courseFile.files) throw invalid('file', 'There are too many files in this Common Cartridge. Divide it.');
  const most = 199;
  const described = {
    ...{ format: courseFile.format, schema: courseFile.schema, organisation: 'Common Cartridge' },
    course: { title, short_title: cutText(title, 40) },
    content: { title, aims: '', outcomes: [], estimated_duration: 0, cpd_accredited: false, admin_only: false, image: null, image_alt: '' },
    lessons: lessons.slice(0, partLimits.lessons),
    quizzes: quizzes.slice(0, partLimits.quizzes),
    left_out: left_out.length > most + 1 ? [...left_out.slice(0, most), `And ${left_out.length - most} more.`] : left_out,
  };
  const checked = CourseDescription.safeParse({ ...described, files: [], exported_at: new Date(0).toISOString() });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw invalid('file', `This Common Cartridge cannot be taken: ${issue?.message ?? 'it is not valid'} (${issue?.path.join('.') ?? ''})`);
  }
  return { ...checked.data, files, exported_at: null };
};

const manifestTitle = (manifest: XmlElement): string => {
  const general = allOf(manifest, 'general')[0];
  const titled = general && childOf(general, 'title');
  return (titled ? (childOf(titled, 'string')?.text ?? childOf(titled, 'langstring')?.text ?? titled.text) : '').trim();
};
