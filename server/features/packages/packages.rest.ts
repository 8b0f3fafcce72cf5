import { existing } from '#server/db/rows.ts';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type packageEndpoints, uploadPackage } from '#contract/api/packages.ts';
import type { CoursePackage, PackageProblem } from '#contract/entities/package.ts';
import { openArchive } from '#server/features/packages/archive.ts';
import { unpack } from '#server/features/packages/package-trees.ts';
import { borrowLibraries, installedLibraries, notePackage, packageById } from '#server/features/packages/packages.rows.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import { ProductError } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';
import { parsePackage } from '#server/workers/parsing.ts';

/** Ends an upload that exceeds the limit. */
const atMost = (bytes: number) => {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      seen += chunk.length;
      next(seen > bytes ? new ProductError('body_too_large') : null, chunk);
    },
  });
};

export const packageHandlers = ({ db, files, config, now }: Services): HandlersOf<typeof packageEndpoints> => {
  const uploads = uploadsFolder(config.DATA_DIR);
  return {
    uploadPackage: async ({ request, query, actor }) => {
      // Its code would run with the player's permissions; only someone who already has all of them gains nothing.
      if (config.ONE_ORIGIN && !actor.user.super_admin)
        throw new ProductError('forbidden', { message: 'On this server only a super administrator can upload packages.' });
      await mkdir(uploads, { recursive: true });
      const path = join(uploads, `${randomUUID()}.zip`);
      try {
        await pipeline(request.body as Readable, atMost(uploadPackage.upload.limitBytes), createWriteStream(path));
        const installed = query.kind === 'h5p' ? await installedLibraries(db, actor.place.id) : new Map();
        const { manifest, warnings, missing } = await parsePackage(path, query.kind, [...installed.keys()]);
        const archive = await openArchive(path);
        try {
          const kept = await unpack(archive, files, await borrowLibraries(files, installed, missing));
          const noted: CoursePackage = await db.tx((tx) =>
            notePackage(tx, { actor, request }, kept, manifest, [...warnings, ...kept.warnings], now()),
          );
          return { data: noted };
        } finally {
          archive.close();
        }
      } catch (error) {
        // Errors from a worker arrive without their class.
        const { problems } = error as { problems?: readonly PackageProblem[] };
        if (problems) throw new ProductError('package_refused', { message: problems[0]?.problem ?? '', extra: { problems } });
        throw error;
      } finally {
        await rm(path, { force: true });
      }
    },
    getPackage: async ({ params, actor }) => {
      return { data: existing(await packageById(db, actor, params.id)) };
    },
  };
};
