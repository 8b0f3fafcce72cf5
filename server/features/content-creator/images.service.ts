import type { Media } from '#contract/entities/content.ts';
import { existing } from '#server/db/rows.ts';
import { sql } from '#server/db/sql.ts';
import { keepFile } from '#server/features/content-creator/files.rows.ts';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { illustration } from '#server/workers/pictures.ts';

/** The pictures of an organisation for its contents and topics. */
export const imagesOf = ({ db, files }: Pick<Services, 'db' | 'files'>) => ({
  /** Stores a picture: scaled, and without metadata. */
  add: async (actor: Actor, upload: Buffer | undefined): Promise<Media> => {
    if (!upload) throw invalid('file', 'Choose a picture.');
    const drawn = await illustration(upload);
    if (!drawn) throw invalid('file', 'This picture cannot be used. Choose a PNG, JPEG, WebP, GIF or SVG file of up to 100 megapixels.');
    const hash = await files.put(drawn);
    return db.tx((tx) => keepFile(tx, actor, { hash, bytes: drawn.length, type: 'image/webp', ending: 'webp', name: 'picture' }));
  },
  /** Removes one from the organisation's pictures. Topics that show it keep it. */
  remove: async (actor: Actor, hash: string): Promise<void> => {
    existing(
      await db.run(
        sql`delete from content_files f using media m where f.entity_id = ${actor.place.id} and f.hash = ${hash} and m.hash = f.hash and m.type like 'image/%'`,
      ),
    );
  },
});
