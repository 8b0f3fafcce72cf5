import { randomUUID } from 'node:crypto';
import type { learningEndpoints } from '#contract/api/learning.ts';
import type { TrainingRecord } from '#contract/entities/attempt.ts';
import { can } from '#contract/can.ts';
import { protocol } from '#contract/protocol.ts';
import { byteRange } from '#contract/rules/byte-range.ts';
import { existing } from '#server/db/rows.ts';
import { sql } from '#server/db/sql.ts';
import { noteChange } from '#server/note-change.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import { certificatePdf } from '#server/features/learning/certificate-pdf.service.ts';
import { contentDocumentOf } from '#server/features/learning/contents.rows.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { trainingRecordPdf } from '#server/features/learning/training-record-pdf.ts';
import { evidenceFile } from '#server/features/users/evidence.service.ts';
import { personAt, visiblePerson } from '#server/db/seen.ts';
import { namedFile } from '#server/http/file-answer.ts';
import { ProductError } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const learningHandlers = ({ db, files, now }: Services): HandlersOf<typeof learningEndpoints> => ({
  contentDocument: async ({ params, query, actor }) => {
    return { data: existing(await contentDocumentOf(db, actor, params.id, query.version)) };
  },
  sendFeedback: async ({ params, body, actor, request }) => {
    existing(await contentDocumentOf(db, actor, params.id));
    const key = request.headers['idempotency-key'];
    const id = typeof key === 'string' && /^[0-9a-f-]{36}$/.test(key) ? key : randomUUID();
    await db.run(
      sql`insert into feedback (id, user_id, content_id, rating, message) values (${id}, ${actor.user.uuid}, ${params.id}, ${body.rating}, ${body.message}) on conflict (id) do nothing`,
    );
    return { data: { message: 'Thank you. Your feedback has been received.' } };
  },
  trainingRecords: async ({ params, actor }) => {
    await personAt(db, actor, params.id);
    const rows =
      await db.all<TrainingRecord>(sql`select r.id, r.course_id, c.title as course_title, r.type, r.completed_at, r.expires_at, r.score, r.attempt_id, true as certificate,
        (select v.name from evidence v where v.id = r.evidence_id) as evidence
      from results r join course_titles c on c.id = r.course_id where r.user_id = ${params.id} order by r.completed_at desc, c.title limit 1000`);
    return { data: rows };
  },
  deleteTrainingRecord: ({ params, actor, request }) =>
    db.tx(async (tx) => {
      const record = existing(
        await tx.one<{
          user_id: string;
          name: string;
          place: string;
          course: string;
          type: string;
          completed_at: string;
          expires_at: string | null;
          score: number | null;
          delegate_id: string | null;
        }>(sql`select r.user_id, u.name, u.primary_entity_id as place, c.title as course, r.type, r.completed_at, r.expires_at, r.score, r.delegate_id
        from results r join users u on u.id = r.user_id join course_titles c on c.id = r.course_id where r.id = ${params.id} and ${visiblePerson(actor)} for update of r`),
      );
      const { user_id, name, place, delegate_id, ...said } = record;
      if (delegate_id)
        throw new ProductError('in_use', {
          message: 'This result comes from the register of a training session. Change it in the register.',
        });
      await tx.run(sql`delete from results where id = ${params.id}`);
      const subject = { kind: 'user' as const, id: user_id, name };
      await noteChange(tx, { actor, request }, now(), { entityId: place, action: 'deleted', subject, before: { training_record: said } });
    }),
  resultCertificate: async ({ params, actor }) => {
    const row = await db.one<{
      user_id: string;
      name: string;
      course: string;
      organisation: string;
      entity_id: string;
      zone: string;
      completed_at: string;
      expires_at: string | null;
      score: number | null;
    }>(sql`
      select u.id as user_id, u.name, c.title as course, e.name as organisation, e.id as entity_id, e.time_zone as zone, r.completed_at, r.expires_at, r.score
      from results r join users u on u.id = r.user_id join course_titles c on c.id = r.course_id join entities e on e.id = u.primary_entity_id where r.id = ${params.id} and ${visiblePerson(actor)}`);
    if (!row) throw new ProductError('certificate_unavailable');
    if (!can(actor.user, row.user_id === actor.user.uuid ? 'certificate.own' : 'certificate.user')) throw new ProductError('forbidden');
    const brand = await brandOf(db, row.entity_id);
    const pictures = createPictures(files);
    const file = await certificatePdf({
      name: row.name,
      course: row.course,
      organisation: row.organisation,
      completedAt: row.completed_at,
      expiresAt: row.expires_at,
      zone: row.zone,
      score: row.score,
      number: params.id.slice(0, 8).toUpperCase(),
      ...{ brand: brand.whitelabel, wording: brand.certificate },
      logo: await pictures.bytesOf(brand.whitelabel.logo),
      signature: await pictures.bytesOf(brand.certificate.signature),
    });
    return namedFile(file, 'application/pdf', `${row.name} ${downloadDay(now(), row.zone)}.pdf`);
  },
  resultEvidence: async ({ params, actor }) => {
    const result = await db.one<{ evidence_id: string }>(
      sql`select r.evidence_id from results r join users u on u.id = r.user_id where r.id = ${params.id} and r.evidence_id is not null and ${visiblePerson(actor)}`,
    );
    return evidenceFile(db, files, sql`v.id = ${result?.evidence_id ?? null}`);
  },
  trainingCertificate: async ({ params, actor }) => {
    const person = existing(
      await db.one<{
        name: string;
        role: string | null;
        organisation: string;
        entity_id: string;
        zone: string;
      }>(sql`select u.name, r.name as role, e.name as organisation, e.id as entity_id, e.time_zone as zone
      from users u join entities e on e.id = u.primary_entity_id left join roles r on r.id = u.role_id where u.id = ${params.id} and ${visiblePerson(actor)}`),
    );
    if (!can(actor.user, params.id === actor.user.uuid ? 'certificate.own' : 'certificate.user')) throw new ProductError('forbidden');
    const results = await db.all<{ title: string; completed_at: string; expires_at: string | null; score: number | null }>(
      sql`select c.title, r.completed_at, r.expires_at, r.score from results r join course_titles c on c.id = r.course_id where r.user_id = ${params.id} order by r.completed_at desc, c.title limit 1000`,
    );
    const brand = await brandOf(db, person.entity_id);
    const logo = await createPictures(files).bytesOf(brand.whitelabel.logo);
    const file = await trainingRecordPdf({ ...person, at: now(), brand: brand.whitelabel, logo, results });
    return namedFile(file, 'application/pdf', `${person.name} training record ${downloadDay(now(), person.zone)}.pdf`);
  },
  mediaChunks: async ({ params }) => {
    const media = await db.one<{ hash: string; bytes: number; pieces: string[] | null }>(
      sql`select hash, bytes, pieces from media where name = ${params.name}`,
    );
    if (!media || (await files.size(media.hash)) === null) throw new ProductError('not_found');
    const hashes = media.pieces ?? (await files.pieceHashes(media.hash, protocol.mediaPieceBytes));
    // Files and their pieces never change.
    if (!media.pieces) await db.run(sql`update media set pieces = ${hashes} where hash = ${media.hash}`);
    return {
      data: { bytes: media.bytes, piece_bytes: protocol.mediaPieceBytes, hashes },
      headers: { 'Cache-Control': 'private, max-age=31536000, immutable' },
    };
  },
  mediaFile: async ({ params, request }) => {
    const media = await db.one<{ hash: string; type: string; bytes: number }>(sql`select hash, type, bytes from media where name = ${params.name}`);
    if (!media || (await files.size(media.hash)) === null) throw new ProductError('not_found');
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
    if (range === 'whole') return { file: files.read(media.hash), type: media.type, headers: { ...headers, 'Content-Length': String(media.bytes) } };
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
});
