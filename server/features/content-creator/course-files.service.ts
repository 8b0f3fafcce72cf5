import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { importContent } from '#contract/api/course-files.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { Content } from '#contract/entities/authored-content.ts';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { type ContentFileKind, contentFileLimits } from '#contract/entities/content-file.ts';
import type { Block, Media, Question } from '#contract/entities/content.ts';
import { type CourseDescription, courseFile, type CourseFileLine, type CourseInFile, type ReadCourse } from '#contract/entities/course-file.ts';
import { packageLimits } from '#contract/entities/package.ts';
import { picturesOf, withPictures } from '#contract/rules/question-pictures.ts';
import { openArchive } from '#server/archives/archive.ts';
import { sql } from '#server/db/sql.ts';
import { contentFilesOf } from '#server/features/content-creator/content-files.service.ts';
import { contentOf } from '#server/features/content-creator/contents.rows.ts';
import { contentsOf } from '#server/features/content-creator/contents.service.ts';
import { hasTitle, lessonsOf, namesOfFiles, quizzesOf } from '#server/features/content-creator/course-files.rows.ts';
import { coursePackagesOf, type FoundPackages } from '#server/features/content-creator/course-packages.service.ts';
import { designOf, withDesignFiles } from '#server/features/content-creator/designs.rows.ts';
import { extract } from '#server/features/content-creator/extract.ts';
import { keepFile, usableFiles } from '#server/features/content-creator/files.rows.ts';
import { imagesOf } from '#server/features/content-creator/images.service.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import { zipStream } from '#server/files/zip-stream.ts';
import type { Actor } from '#server/actor.ts';
import type { By } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { lookIntoFile, parseCourse } from '#server/workers/parsing.ts';

type Parts = Pick<CourseDescription, 'content' | 'lessons' | 'quizzes' | 'design'>;
const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
const mostPictureBytes = packageLimits.readBytes;

/** The uses of every file of a course, by its hash. */
const usesOf = ({ content, lessons, quizzes, design }: Parts): Map<string, ContentFileKind | 'image'> => {
  const uses = new Map<string, ContentFileKind | 'image'>();
  const use = (media: Pick<Media, 'hash'> | null | undefined, as: ContentFileKind | 'image') => {
    if (media && !uses.has(media.hash)) uses.set(media.hash, as);
  };
  use(content.image, 'image');
  for (const block of lessons.flatMap((l) => l.topics.flatMap((t) => t.blocks))) {
    if (block.kind === 'image') use(block.media, 'image');
    if (block.kind === 'audio' || block.kind === 'download') use(block.media, block.kind);
    if (block.kind === 'question') for (const { picture } of picturesOf(block.question)) use(picture.media, 'image');
    if (block.kind !== 'video') continue;
    use(block.media, 'video');
    use(block.poster, 'image');
    for (const { media } of block.captions) use(media, 'captions');
  }
  for (const { picture } of quizzes.flatMap((q) => q.questions.flatMap(picturesOf))) use(picture.media, 'image');
  if (design)
    withDesignFiles(design, (media, types) => {
      use(media, types.test('video/mp4') ? 'video' : types.test('text/vtt') ? 'captions' : 'image');
      return media;
    });
  return uses;
};

/** The same parts with other files in place of theirs. */
const withFiles = (parts: Parts, files: ReadonlyMap<string, Media>): Parts => {
  const fileOf = (media: Media): Media => files.get(media.hash) ?? media;
  const inQuestion = <Q extends Question | AuthoredQuestion>(question: Q): Q =>
    withPictures(question, (picture) => ({ ...picture, media: fileOf(picture.media) }));
  const inBlock = (block: Block): Block => {
    if (block.kind === 'video')
      return {
        ...block,
        media: fileOf(block.media),
        poster: block.poster && fileOf(block.poster),
        captions: block.captions.map((c) => ({ ...c, media: fileOf(c.media) })),
      };
    if (block.kind === 'question') return { ...block, question: inQuestion(block.question) };
    return 'media' in block ? { ...block, media: fileOf(block.media) } : block;
  };
  const image = parts.content.image && { hash: files.get(parts.content.image.hash)?.hash ?? parts.content.image.hash };
  return {
    content: { ...parts.content, image },
    lessons: parts.lessons.map((l) => ({ ...l, topics: l.topics.map((t) => ({ ...t, blocks: t.blocks.map(inBlock) })) })),
    quizzes: parts.quizzes.map((q) => ({ ...q, questions: q.questions.map(inQuestion) })),
    ...(parts.design ? { design: withDesignFiles(parts.design, fileOf) } : {}),
  };
};

/** The parts without anything that shows one of these files. */
const withoutFiles = (parts: Parts, hashes: ReadonlySet<string>): Parts => {
  const without = <Q extends Question | AuthoredQuestion>(question: Q): Q =>
    withPictures(question, (picture) => (hashes.has(picture.media.hash) ? null : picture));
  const blocks = (all: readonly Block[]) =>
    all
      .filter((block) => !('media' in block && hashes.has(block.media.hash)))
      .map((block) => (block.kind === 'question' ? { ...block, question: without(block.question) } : block));
  return {
    ...parts,
    lessons: parts.lessons.map((l) => ({ ...l, topics: l.topics.map((t) => ({ ...t, blocks: blocks(t.blocks) })) })),
    quizzes: parts.quizzes.map((q) => ({ ...q, questions: q.questions.map(without) })),
  };
};

/** Courses exported to files and imported from them. */
export const courseFilesOf = (services: Pick<Services, 'db' | 'files' | 'now' | 'config'>) => {
  const { db, files, now, config } = services;
  const uploads = contentFilesOf(services);
  const images = imagesOf(services);
  const contents = contentsOf(services);
  const packages = coursePackagesOf(services);

  /** The parts of a description that can be imported here. */
  const importable = (course: ReadCourse, found: FoundPackages): { parts: Parts; left_out: string[] } => {
    for (const [hash] of usesOf(course))
      if (!course.files.some((f) => f.hash === hash))
        throw invalid('file', 'A file that the course uses is missing in this archive. Export the course again.');
    const { lessons, left_out } = packages.placed(course.lessons, found);
    return {
      parts: {
        content: course.content,
        ...(course.design ? { design: course.design } : {}),
        lessons,
        quizzes: course.quizzes.map((q) => ({ ...q, questions: q.questions.map(({ id: _, ...question }) => question as AuthoredQuestion) })),
      },
      left_out: [...course.left_out, ...left_out],
    };
  };

  /**
   * Stores the files of a course for the organisation, each checked like an upload; by their hashes in the course. Files from another
   * program that cannot be used are in `refused`, with the reason; one in our own export refuses the whole.
   */
  const keepFiles = async (
    actor: Actor,
    path: string,
    course: ReadCourse,
    uses: ReturnType<typeof usesOf>,
  ): Promise<{ kept: Map<string, Media>; refused: Map<string, string> }> => {
    const mediaByHash = new Map<string, Media>();
    const refused = new Map<string, string>();
    const fromOtherProgram = course.exported_at === null;
    const usedFiles = course.files.filter((l) => uses.has(l.hash));
    const stored = await namesOfFiles(
      db,
      actor,
      usedFiles.map((l) => l.hash),
    );
    const usable = await usableFiles(
      db,
      actor,
      usedFiles.map((l) => l.hash),
      [],
    );
    const archive = await openArchive(path);
    const folder = uploadsFolder(config.DATA_DIR);
    try {
      for (const line of usedFiles) {
        const already = usable.get(line.hash);
        if (already) {
          mediaByHash.set(line.hash, already);
          continue;
        }
        const unpacked = join(folder, `${randomUUID()}.file`);
        try {
          const entry = archive.files.get(line.path);
          if (!entry) throw invalid('file', `The file “${line.name}” is missing in this archive.`);
          // A hash must come with its file: it may be another organisation's.
          if ((await extract(archive, entry, unpacked)) !== line.hash)
            throw invalid('file', `The file “${line.name}” is not what it was when it was exported: the archive is damaged.`);
          const use = uses.get(line.hash) as ContentFileKind | 'image';
          const before = stored.get(line.hash);
          if (before) {
            await db.run(
              sql`insert into content_files (entity_id, hash, name, uploaded_by) values (${actor.place.id}, ${line.hash}, ${line.name}, ${actor.user.uuid}) on conflict do nothing`,
            );
            const known = (await usableFiles(db, actor, [line.hash], [])).get(line.hash);
            if (known) mediaByHash.set(line.hash, known);
          } else if (use === 'image') {
            if (line.bytes > mostPictureBytes) throw invalid('file', `The picture “${line.name}” is too large.`);
            mediaByHash.set(line.hash, await images.add(actor, await readFile(unpacked)));
          } else {
            const looked = await lookIntoFile(unpacked, use, line.name);
            if ('problem' in looked) throw invalid('file', `“${line.name}”: ${looked.problem}`);
            const { hash, bytes } = await files.putStream(createReadStream(unpacked));
            mediaByHash.set(line.hash, await db.tx((tx) => keepFile(tx, actor, { hash, bytes, ...looked, name: line.name })));
          }
        } catch (error) {
          const { problems } = error as { problems?: { problem: string }[] };
          const why = problems?.[0]?.problem ?? (error instanceof ProductError ? error.fields?.file?.[0] : undefined);
          if (fromOtherProgram && why !== undefined) refused.set(line.hash, `The file “${line.name}” is left out. ${why}`.slice(0, 500));
          else throw problems?.[0] ? invalid('file', problems[0].problem) : error;
        } finally {
          await rm(unpacked, { force: true });
        }
      }
    } finally {
      archive.close();
    }
    return { kept: mediaByHash, refused };
  };

  return {
    /** Exports the working copy of a content as a file. */
    exported: async (actor: Actor, id: string): Promise<{ name: string; archive: Readable }> => {
      const content = await contentOf(db, actor, id);
      if (!content.editable) throw new ProductError('forbidden', { message: `Only ${content.entity.name} can export it.` });
      if (content.type !== 'elearning') throw invalid('id', 'Only an e-learning content is exported as a course.');
      const design = content.designed ? await designOf(db, id) : undefined;
      const { title, aims, outcomes, estimated_duration, cpd_accredited, admin_only, image, image_alt } = content;
      const parts: Parts = {
        content: { title, aims, outcomes, estimated_duration, cpd_accredited, admin_only, image: image && { hash: image.hash }, image_alt },
        lessons: await lessonsOf(db, id),
        quizzes: await quizzesOf(db, id),
        ...(design ? { design } : {}),
      };
      const hashes = [...usesOf(parts).keys()];
      const names = await namesOfFiles(db, actor, hashes);
      const lines = hashes.flatMap((hash): CourseFileLine[] => {
        const found = names.get(hash);
        return found ? [{ hash, path: `files/${hash}.${found.ending}`, name: found.name, bytes: found.bytes }] : [];
      });
      const course = await db.one<{ title: string; short_title: string }>(
        sql`select k.title, k.short_title from contents c join course_titles k on k.id = c.course_id where c.id = ${id}`,
      );
      const before = content.prerequisites.flatMap((g) => g.prerequisite_contents.map((p) => p.title));
      const description: CourseDescription = {
        ...{ format: courseFile.format, schema: courseFile.schema, exported_at: now().toISOString(), organisation: content.entity.name },
        ...{ course: course ?? { title, short_title: title.slice(0, 40) }, ...parts, files: lines },
        left_out: before.length > 0 ? [`What has to be completed before it: ${before.join(', ')}`.slice(0, 500)] : [],
      };
      const spent = lines.reduce((sum, l) => sum + l.bytes + 1000, Buffer.byteLength(JSON.stringify(description)));
      if (spent > contentFileLimits.bytes)
        throw invalid(
          'id',
          `With its files it is ${megabytes(spent)}, more than the ${megabytes(contentFileLimits.bytes)} that a course file can have. Make its videos shorter or smaller.`,
        );
      const leaving = await packages.leaving(parts.lessons, contentFileLimits.bytes - spent);
      description.packages = leaving.map((l) => l.line);
      const archive = zipStream([
        { path: courseFile.name, packed: true, bytes: () => [Buffer.from(JSON.stringify(description, null, 1))] },
        ...lines.map((line) => ({ path: line.path, packed: false, bytes: () => files.read(line.hash) as AsyncIterable<Uint8Array> })),
        ...leaving.map((l) => l.entry),
      ]);
      return { name: `${title}.course.zip`, archive: Readable.from(archive, { objectMode: false }) };
    },
    /** The contents of a course file. */
    look: (actor: Actor, id: string): Promise<CourseInFile> =>
      uploads.course(actor, id, async (path) => {
        const course = await parseCourse(path);
        const found = await packages.find(actor, path, course, false);
        const { parts, left_out } = importable(course, found);
        const played = [...found.values()].filter((p) => typeof p === 'object');
        const used = course.files.filter((f) => usesOf(parts).has(f.hash));
        const usable = await usableFiles(
          db,
          actor,
          used.map((f) => f.hash),
          [],
        );
        return {
          ...{ title: course.content.title, course: course.course.title, organisation: course.organisation, exported_at: course.exported_at },
          lessons: parts.lessons.map((l) => ({ title: l.title, topics: l.topics.map((t) => t.title) })),
          quizzes: parts.quizzes.map((q) => ({ title: q.title, questions: q.questions.length })),
          pages: parts.design?.pages.map((p) => p.title) ?? [],
          files: { count: used.length, bytes: used.reduce((sum, f) => sum + f.bytes, 0), here: used.filter((f) => usable.has(f.hash)).length },
          packages: {
            count: played.length,
            bytes: played.reduce((sum, { pack }) => sum + pack.bytes, 0),
            here: played.filter((p) => !p.fresh).length,
          },
          same_title: await hasTitle(db, actor, course.content.title),
          left_out,
        };
      }),
    /** Creates an unpublished content from a course file. */
    take: (by: By, id: string, body: BodyOf<typeof importContent>): Promise<Content & { left_out: string[] }> =>
      uploads.course(by.actor, id, async (path) => {
        const course = await parseCourse(path);
        const found = await packages.find(by.actor, path, course, true);
        const { parts, left_out } = importable(course, found);
        const { kept, refused } = await keepFiles(by.actor, path, course, usesOf(parts));
        const whole = withFiles(withoutFiles(parts, new Set(refused.keys())), kept);
        const content = await contents.importDraft(by, body, { ...whole, organisation: course.organisation }, async (tx) => {
          await packages.note(tx, by, course.lessons, found);
          await uploads.forget(tx, by.actor, id);
        });
        return { ...content, left_out: [...left_out, ...refused.values()] };
      }),
  };
};
