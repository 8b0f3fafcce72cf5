import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type beginContentFile, sendsContentFiles, sendsDocuments } from '#contract/api/content-files.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import { type ContentFile, type ContentFileKind, contentFileLimits, contentPiecesOf } from '#contract/entities/content-file.ts';
import type { Media } from '#contract/entities/content.ts';
import { documentLimits, documentTooLarge } from '#contract/entities/session-document.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { keepFile, mediaColumn } from '#server/features/content-creator/files.rows.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import type { Actor } from '#server/actor.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { exceedsQuota } from '#server/files/upload-quota.ts';
import { lookIntoFile } from '#server/workers/parsing.ts';

type Row = { id: string; kind: ContentFileKind; name: string; bytes: number; media: Media | null };

/** Uploads of content files: received in pieces, then inspected and stored. */
export const contentFilesOf = ({ db, files, now, config }: Pick<Services, 'db' | 'files' | 'now' | 'config'>) => {
  /** An upload that the actor began, for the organisation they act for. */
  const row = async (on: Db, actor: Actor, id: string): Promise<Row> =>
    existing(
      await on.one<Row>(sql`select u.id, u.kind, u.name, u.bytes::float8 as bytes, ${mediaColumn} as media from content_uploads u left join media m on m.hash = u.hash
        where u.id = ${id} and u.user_id = ${actor.user.uuid} and u.entity_id = ${actor.place.id}`),
    );
  const arrived = async (on: Db, id: string): Promise<Set<number>> =>
    new Set((await on.all<{ piece: number }>(sql`select piece from content_upload_pieces where upload_id = ${id}`)).map((p) => p.piece));
  const sizeOf = (bytes: number, piece: number) => Math.min(contentFileLimits.pieceBytes, bytes - piece * contentFileLimits.pieceBytes);
  const current = async (on: Db, actor: Actor, id: string): Promise<ContentFile> => {
    const found = await row(on, actor, id);
    const sent = await arrived(on, id);
    const missing = found.media ? [] : Array.from({ length: contentPiecesOf(found.bytes) }, (_, piece) => piece).filter((piece) => !sent.has(piece));
    return { ...found, piece_bytes: contentFileLimits.pieceBytes, missing };
  };

  /** All pieces as one file, for as long as it is used. */
  const assembled = async <T>(actor: Actor, id: string, use: (path: string) => Promise<T>): Promise<T> => {
    const { missing, bytes } = await current(db, actor, id);
    if (missing.length > 0) throw invalid('piece', `This file is not whole yet: ${missing.length} of its ${contentPiecesOf(bytes)} pieces missing.`);
    const folder = uploadsFolder(config.DATA_DIR);
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${randomUUID()}.file`);
    const pieces = async function* () {
      for (let piece = 0; piece < contentPiecesOf(bytes); piece++)
        yield existing(await db.one<{ bytes: Uint8Array }>(sql`select bytes from content_upload_pieces where upload_id = ${id} and piece = ${piece}`))
          .bytes;
    };
    try {
      await pipeline(Readable.from(pieces()), createWriteStream(path));
      return await use(path);
    } finally {
      await rm(path, { force: true });
    }
  };

  return {
    begin: (actor: Actor, body: BodyOf<typeof beginContentFile>): Promise<ContentFile> =>
      db.tx(async (tx) => {
        if (!can(actor.user, body.kind === 'document' ? sendsDocuments : sendsContentFiles)) throw new ProductError('forbidden');
        if (body.kind === 'document' && body.bytes > documentLimits.bytes) throw invalid('bytes', documentTooLarge);
        if (body.kind === 'captions' && body.bytes > contentFileLimits.captionsBytes)
          throw invalid('bytes', 'These captions are too long: 2 MB at most.');
        const id = randomUUID();
        await tx.run(insertRow('content_uploads', { id, ...body, entity_id: actor.place.id, user_id: actor.user.uuid, begun_at: now() }));
        if (await exceedsQuota(tx, sql`content_uploads`, sql`user_id = ${actor.user.uuid} and hash is null`))
          throw invalid(
            'bytes',
            'You have begun many uploads that are not finished. Finish them first; what is not finished is deleted after 30 days.',
          );
        return current(tx, actor, id);
      }),
    get: (actor: Actor, id: string): Promise<ContentFile> => current(db, actor, id),
    /** Stores a piece. A repeated one changes nothing. */
    keepPiece: async (actor: Actor, id: string, piece: number, body: Readable): Promise<{ missing: number }> => {
      const { bytes, media } = await row(db, actor, id);
      const expectedBytes = sizeOf(bytes, piece);
      if (expectedBytes <= 0) throw invalid('piece', 'This file has no such piece.');
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of body as AsyncIterable<Buffer>) {
        size += part.length;
        if (size > expectedBytes) throw new ProductError('body_too_large');
        parts.push(part);
      }
      if (size !== expectedBytes) throw invalid('piece', 'This piece did not arrive whole. Send it again.');
      if (!media)
        await db.run(sql`${insertRow('content_upload_pieces', { upload_id: id, piece, bytes: Buffer.concat(parts) })} on conflict do nothing`);
      return { missing: (await current(db, actor, id)).missing.length };
    },
    /** Assembles the pieces, inspects the file and stores it. A repeated call returns the same answer. */
    finish: async (actor: Actor, id: string): Promise<Media> => {
      const { media, kind, name } = await current(db, actor, id);
      if (media) return media;
      return assembled(actor, id, async (path) => {
        const looked = await lookIntoFile(path, kind, name);
        if ('problem' in looked) {
          // A repeated call would find the same file.
          await db.run(sql`delete from content_uploads where id = ${id}`);
          throw invalid('file', looked.problem);
        }
        const storedFile = await files.putStream(createReadStream(path));
        return db.tx(async (tx) => {
          const found = await keepFile(tx, actor, { ...storedFile, ...looked, name });
          await tx.run(sql`update content_uploads set hash = ${found.hash} where id = ${id}`);
          await tx.run(sql`delete from content_upload_pieces where upload_id = ${id}`);
          return found;
        });
      });
    },
    /** A course file that was sent, assembled for as long as it is read. */
    course: async <T>(actor: Actor, id: string, read: (path: string) => Promise<T>): Promise<T> => {
      if ((await row(db, actor, id)).kind !== 'course') throw invalid('file', 'This file was sent as a part of a content, not as a course.');
      return assembled(actor, id, read);
    },
    /** A document that was sent, assembled for as long as `keep` takes, with its type. Nothing of it is stored here. */
    document: async <T>(actor: Actor, id: string, keep: (path: string, is: { type: string; ending: string }) => Promise<T>): Promise<T> => {
      const { kind, name } = await row(db, actor, id);
      if (kind !== 'document') throw invalid('upload_id', 'This file was not sent as a document.');
      return assembled(actor, id, async (path) => {
        const looked = await lookIntoFile(path, 'download', name);
        if (!('problem' in looked)) return keep(path, looked);
        await db.run(sql`delete from content_uploads where id = ${id}`);
        throw invalid('upload_id', looked.problem);
      });
    },
    /** Deletes an upload that is no longer needed. */
    forget: async (on: Db, actor: Actor, id: string): Promise<void> => {
      await on.run(sql`delete from content_uploads where id = ${id} and user_id = ${actor.user.uuid} and entity_id = ${actor.place.id}`);
    },
  };
};
