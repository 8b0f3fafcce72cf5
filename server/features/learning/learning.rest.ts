import { randomUUID } from 'node:crypto';
import type { learningEndpoints } from '#contract/api/learning.ts';
import { protocol } from '#contract/protocol.ts';
import { byteRange } from '#contract/rules/byte-range.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { contentDocumentOf } from '#server/features/learning/contents.rows.ts';
import { trainingRecordsOf } from '#server/features/learning/records.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const learningHandlers = (services: Services): HandlersOf<typeof learningEndpoints> => {
  const { db, files } = services;
  const records = trainingRecordsOf(services);
  const mediaOf = async <More>(name: string, more: Statement): Promise<{ hash: string; bytes: number } & More> => {
    const media = existing(await db.one<{ hash: string; bytes: number } & More>(sql`select hash, bytes, ${more} from media where name = ${name}`));
    existing((await files.size(media.hash)) !== null);
    return media;
  };
  return {
    contentDocument: async ({ params, query, actor }) => ({ data: existing(await contentDocumentOf(db, actor, params.id, query.version)) }),
    sendFeedback: async ({ params, body, actor, request }) => {
      existing(await contentDocumentOf(db, actor, params.id));
      const key = request.headers['idempotency-key'];
      const id = typeof key === 'string' && /^[0-9a-f-]{36}$/.test(key) ? key : randomUUID();
      const feedback = { id, user_id: actor.user.uuid, content_id: params.id, rating: body.rating, message: body.message };
      await db.run(sql`${insertRow('feedback', feedback)} on conflict (id) do nothing`);
      return { data: { message: 'Thank you. Your feedback has been received.' } };
    },
    trainingRecords: async ({ params, actor }) => ({ data: await records.list(actor, params.id) }),
    deleteTrainingRecord: ({ params, ...by }) => records.remove(by, params.id),
    resultCertificate: ({ params, actor }) => records.certificate(actor, params.id),
    resultEvidence: ({ params, actor }) => records.evidence(actor, params.id),
    trainingCertificate: ({ params, actor }) => records.file(actor, params.id),
    mediaChunks: async ({ params }) => {
      const media = await mediaOf<{ pieces: string[] | null }>(params.name, sql`pieces`);
      const hashes = media.pieces ?? (await files.pieceHashes(media.hash, protocol.mediaPieceBytes));
      // Files and their pieces never change.
      if (!media.pieces) await db.run(sql`update media set pieces = ${hashes} where hash = ${media.hash}`);
      return {
        data: { bytes: media.bytes, piece_bytes: protocol.mediaPieceBytes, hashes },
        headers: { 'Cache-Control': 'private, max-age=31536000, immutable' },
      };
    },
    mediaFile: async ({ params, request }) => {
      const media = await mediaOf<{ type: string }>(params.name, sql`type`);
      const headers = {
        'Cache-Control': 'private, max-age=31536000, immutable',
        'Accept-Ranges': 'bytes',
        ETag: `"${media.hash}"`,
        // SVG is only shown as an image; opened on its own it must not run scripts.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ...(/^(image|video|audio|text\/vtt)/.test(media.type) ? {} : { 'Content-Disposition': 'attachment' }),
      };
      const range = byteRange(request.headers.range, media.bytes);
      if (range === 'unsatisfiable')
        return { file: Buffer.alloc(0), type: media.type, status: 416, headers: { ...headers, 'Content-Range': `bytes */${media.bytes}` } };
      if (range === 'whole')
        return { file: files.read(media.hash), type: media.type, headers: { ...headers, 'Content-Length': String(media.bytes) } };
      return {
        file: files.read(media.hash, range),
        type: media.type,
        status: 206,
        headers: {
          ...headers,
          'Content-Range': `bytes ${range.start}-${range.end}/${media.bytes}`,
          'Content-Length': String(range.end - range.start + 1),
        },
      };
    },
  };
};
