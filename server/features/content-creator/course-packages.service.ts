import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createH5p } from '#contract/api/h5ps.ts';
import { can } from '#contract/can.ts';
import type { Block, H5pBlock } from '#contract/entities/content.ts';
import { type CourseDescription, courseFile, type CoursePackageLine, type ReadCourse } from '#contract/entities/course-file.ts';
import { type CoursePackage, packageLimits } from '#contract/entities/package.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { type Archive, openArchive } from '#server/archives/archive.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { extract } from '#server/features/content-creator/extract.ts';
import { h5psOf } from '#server/features/packages/h5ps.service.ts';
import { h5pLike, packageAsFile } from '#server/features/packages/package-files.service.ts';
import { notePackage } from '#server/features/packages/packages.rows.ts';
import { checkPackage, mayBringPackages, problemsOfPackage, unpackPackage } from '#server/features/packages/packages.service.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import type { ZipEntry } from '#server/files/zip-stream.ts';
import type { Actor } from '#server/actor.ts';
import type { By } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Lessons = CourseDescription['lessons'];
/** A package available to the course here, with the activities of the library that play it. `fresh`: it came with the course. */
type Found = { pack: CoursePackage; h5ps: string[]; fresh: boolean };
/** By the package's name in the course. A sentence says why one is not used; one that was found nowhere is absent. */
export type FoundPackages = ReadonlyMap<string, Found | string>;

const activitiesOf = (lessons: Lessons): H5pBlock[] =>
  lessons.flatMap((l) => l.topics.flatMap((t) => t.blocks.flatMap((b) => (b.kind === 'h5p' ? [b] : []))));
const treesOf = (lessons: Lessons) => [...new Set(activitiesOf(lessons).map((a) => a.package.tree))];
/** The H5P activities of courses that are exported and imported. */
export const coursePackagesOf = (services: Pick<Services, 'db' | 'files' | 'now' | 'config'>) => {
  const { db, files, config } = services;
  const h5ps = h5psOf(services);

  /** Stores a package from the archive like an upload, or returns the reason why not. */
  const read = async (actor: Actor, archive: Archive, line: CoursePackageLine, readIt: typeof unpackPackage): Promise<CoursePackage | string> => {
    const unpacked = join(uploadsFolder(config.DATA_DIR), `${randomUUID()}.zip`);
    try {
      mayBringPackages(config, actor);
      const entry = archive.files.get(line.path);
      if (!entry) return 'It is missing in this archive. Export the course again.';
      await extract(archive, entry, unpacked);
      return await readIt(services, actor, unpacked, { kind: 'h5p', seal: line });
    } catch (error) {
      const [first] = problemsOfPackage(error) ?? [];
      if (first) return `${first.problem} ${first.remedy}`;
      if (error instanceof ProductError && error.code === 'forbidden') return error.message;
      throw error;
    } finally {
      await rm(unpacked, { force: true });
    }
  };

  return {
    /** The packages of these activities for export; those that no longer exist, or exceed `room` bytes together, are left out. */
    leaving: async (lessons: Lessons, room: number): Promise<{ line: CoursePackageLine; entry: ZipEntry }[]> => {
      const leaving: { line: CoursePackageLine; entry: ZipEntry }[] = [];
      let left = room;
      for (const tree of treesOf(lessons)) {
        const file = await packageAsFile(files, tree);
        if (!file || file.mostBytes > left || file.contents.files > packageLimits.files || leaving.length === courseFile.packages) continue;
        left -= file.mostBytes;
        const path = `packages/${tree}.h5p`;
        leaving.push({ line: { tree, path, ...file.contents }, entry: { path, packed: false, bytes: file.written } });
      }
      return leaving;
    },
    /** The packages of a course's activities: those already here, and those in its archive. Their files are stored only with `keep`. */
    find: async (actor: Actor, path: string, course: ReadCourse, keep: boolean): Promise<FoundPackages> => {
      const trees = treesOf(course.lessons);
      const found = new Map<string, Found | string>();
      if (trees.length === 0) return found;
      const lines = (course.packages ?? []).filter((l) => trees.includes(l.tree));
      const known = new Map<string, CoursePackage>();
      for (const tree of trees) {
        const pack = await h5pLike(
          services,
          actor,
          tree,
          lines.find((l) => l.tree === tree),
        );
        if (pack) known.set(tree, pack);
      }
      const listed = await db.all<{ id: string; package_id: string }>(
        sql`select id, package_id from h5ps where entity_id = ${actor.place.id} and package_id = any(${[...known.values()].map((p) => p.id)}::uuid[]) order by created_at, id`,
      );
      for (const [tree, pack] of known)
        found.set(tree, { pack, h5ps: listed.filter((h) => h.package_id === pack.id).map((h) => h.id), fresh: false });
      const archive = await openArchive(path);
      try {
        let left: number = courseFile.packageBytes;
        for (const line of lines) {
          if (found.has(line.tree)) continue;
          left -= line.bytes;
          const pack =
            left < 0
              ? 'With the others of this course it is larger than a course may be. Divide the course.'
              : await read(actor, archive, line, keep ? unpackPackage : checkPackage);
          const lists = can(actor.user, createH5p.access);
          found.set(line.tree, typeof pack === 'string' ? pack : { pack, h5ps: lists ? [randomUUID()] : [], fresh: true });
        }
      } finally {
        archive.close();
      }
      return found;
    },
    /** The lessons with the packages that were found, and sentences about the activities left out. */
    placed: (lessons: Lessons, found: FoundPackages): { lessons: Lessons; left_out: string[] } => {
      const left_out: string[] = [];
      const place = (block: Block, topic: Lessons[number]['topics'][number]): Block[] => {
        if (block.kind !== 'h5p') return [block];
        const imported = found.get(block.package.tree);
        if (typeof imported !== 'object' || imported.pack.manifest.kind !== 'h5p') {
          const why =
            typeof imported === 'string'
              ? `its package cannot be taken. ${imported}`
              : 'its package is neither in this file nor in your library. Add it there, then to the topic.';
          left_out.push(`The activity “${block.title}” in “${topic.title}”: ${why}`);
          return [];
        }
        const { id, tree, bytes, files: count, manifest } = imported.pack;
        const { main_library, licence, authors, source } = manifest;
        const { h5p_id, ...rest } = block;
        const first = topic.blocks.find((b) => b.kind === 'h5p' && b.item_id === block.item_id) === block;
        const listed = h5p_id && (imported.h5ps.includes(h5p_id) ? h5p_id : imported.h5ps[0]);
        return [
          {
            ...rest,
            ...(listed ? { h5p_id: listed } : {}),
            item_id: first ? block.item_id : randomUUID(),
            package: { id, tree, bytes, files: count, main_library, licence, authors, source },
          },
        ];
      };
      const placed = lessons.map((lesson) => ({
        ...lesson,
        topics: lesson.topics.map((topic) => ({ ...topic, blocks: topic.blocks.flatMap((block) => place(block, topic)) })),
      }));
      return { lessons: placed, left_out };
    },
    /** Makes the packages that came with a course the organisation's own, and adds them to its activities. */
    note: async (tx: Db, by: By, lessons: Lessons, found: FoundPackages): Promise<void> => {
      for (const [name, imported] of found) {
        if (typeof imported === 'string' || !imported.fresh) continue;
        await notePackage(tx, by, imported.pack);
        const title =
          activitiesOf(lessons)
            .find((a) => a.package.tree === name)
            ?.title.trim() || imported.pack.manifest.title;
        for (const id of imported.h5ps) await h5ps.add(tx, by, { id, title: cutText(title, 200), package_id: imported.pack.id });
      }
    },
  };
};
