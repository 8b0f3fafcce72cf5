import { existing } from '#server/db/rows.ts';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type packageEndpoints, uploadPackage } from '#contract/api/packages.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import { keepPackage, mayBringPackages } from '#server/features/packages/packages.service.ts';
import { atMost } from '#server/files/at-most.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const packageHandlers = (services: Services): HandlersOf<typeof packageEndpoints> => {
  const { db, config } = services;
  const uploads = uploadsFolder(config.DATA_DIR);
  return {
    uploadPackage: async ({ request, query, actor }) => {
      mayBringPackages(config, actor);
      await mkdir(uploads, { recursive: true });
      const path = join(uploads, `${randomUUID()}.zip`);
      try {
        await pipeline(request.body as Readable, atMost(uploadPackage.upload.limitBytes), createWriteStream(path));
        return { data: await keepPackage(services, { actor, request }, path, query.kind) };
      } finally {
        await rm(path, { force: true });
      }
    },
    getPackage: async ({ params, actor }) => ({ data: existing(await packageById(db, actor, params.id)) }),
  };
};
