import { protocol } from '#contract/protocol.ts';
import { existing } from '#server/db/rows.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import type { Services } from '#server/services.ts';

type Kept = { hash: string; bytes: number };

/** Pictures, films and documents of contents, by name. Files and their pieces never change. */
export const mediaOf = ({ db, files }: Pick<Services, 'db' | 'files'>) => {
  const found = async <More>(name: string, more: Statement): Promise<Kept & More> => {
    const media = existing(await db.one<Kept & More>(sql`select hash, bytes, ${more} from media where name = ${name}`));
    existing((await files.size(media.hash)) !== null);
    return media;
  };
  return {
    get: (name: string) => found<{ type: string }>(name, sql`type`),
    /** The hashes with which a device verifies the pieces of a file that it fetches one by one. Computed on first use. */
    pieces: async (name: string) => {
      const media = await found<{ pieces: string[] | null }>(name, sql`pieces`);
      const hashes = media.pieces ?? (await files.pieceHashes(media.hash, protocol.mediaPieceBytes));
      if (!media.pieces) await db.run(sql`update media set pieces = ${hashes} where hash = ${media.hash}`);
      return { bytes: media.bytes, piece_bytes: protocol.mediaPieceBytes, hashes };
    },
  };
};
