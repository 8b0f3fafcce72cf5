import { randomUUID } from 'node:crypto';
import type { careCertificateEndpoints } from '#contract/api/care-certificates.ts';
import { currentStandards } from '#contract/entities/care-standards.ts';
import type { Approval, CareCertificate } from '#contract/entities/care-certificate.ts';
import { reviewOf } from '#contract/rules/approval-review.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { noteChange } from '#server/note-change.ts';
import { certificateProgress, certificatesOf, standardsOf } from '#server/features/care-certificates/certificates.rows.ts';
import { can } from '#contract/can.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import { careCertificatePdf } from '#server/features/care-certificates/certificate-pdf.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { namedFile } from '#server/http/file-answer.ts';
import { certificateRows } from '#server/features/care-certificates/certificate-rows.ts';
import { evidenceFileOf, keepPiece } from '#server/features/care-certificates/evidence.rows.ts';
import { certificateQueued, evidenceQueued } from '#server/features/care-certificates/queued.ts';
import { listedPerson, visiblePerson } from '#server/db/seen.ts';
import { contains, countOf, existing, orderBy, pagesOf, pagePart } from '#server/db/rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { requireActor } from '#server/http/queued-request.ts';
import { samples } from '#server/features/care-certificates/overview.rest.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import { holdThing } from '#server/ledger/apply-once.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const certificateHandlers = (services: Services): HandlersOf<typeof careCertificateEndpoints> => {
  const { db, now } = services;
  const [take, takeEvidence] = [certificateQueued(services), evidenceQueued(services)];
  const etag = (rev: number) => ({ ETag: `"${rev}"` });
  type Said = {
    approved: boolean;
    reason: string;
    method?: Approval['method'];
    drawing?: string | null;
    doubtful?: number;
    withdraws?: string;
  };
  /** Says something of a certificate as a whole, as an entry of its chain, under its lock. Never of one's own. */
  const decide = (
    by: { actor: Actor; request: Parameters<typeof noteChange>[1]['request'] },
    id: string,
    never: string,
    said: (tx: Db, certificate: CareCertificate) => Promise<Said>,
  ) =>
    db.tx(async (tx) => {
      await holdThing(tx, id);
      const certificate = existing((await certificatesOf(tx, by.actor, sql`c.id = ${id}`))[0]);
      if (certificate.user.id === by.actor.user.uuid) throw new ProductError('forbidden', { message: never });
      const { approved, reason, method = null, drawing = null, doubtful = null, withdraws = null } = await said(tx, certificate);
      await tx.run(sql`insert into certificate_approvals (id, certificate_id, approved, reason, by_id, at, method, drawing, doubtful, withdraws, sealed)
        values (${randomUUID()}, ${id}, ${approved}, ${reason || null}, ${by.actor.user.uuid}, ${now()}, ${method}, ${drawing}, ${doubtful}::int, ${withdraws}::uuid,
          (select h.hash from certificate_chain h where h.certificate_id = ${id} order by h.seq desc limit 1))`);
      await tx.run(sql`update care_certificates set approved_at = ${approved ? now() : null}, rev = rev + 1 where id = ${id}`);
      const place = await tx.one<{ id: string }>(sql`select primary_entity_id as id from users where id = ${certificate.user.id}`);
      const subject = { kind: 'certificate' as const, id, name: certificate.user.name };
      const after = withdraws ? { approval_withdrawn: reason } : approved ? { approved: true, ...(reason ? { reason } : {}) } : { sent_back: reason };
      await noteChange(tx, by, { entityId: place?.id ?? by.actor.place.id, action: 'updated', subject, after }, now());
      const [changed] = await certificatesOf(tx, by.actor, sql`c.id = ${id}`);
      return { data: changed as CareCertificate, headers: etag((changed as CareCertificate).rev) };
    });
  return {
    listCareCertificates: async ({ query, actor }) => {
      const { search, state } = query;
      const approved = state === 'either' ? sql`true` : state === 'complete' ? sql`c.approved_at is not null` : sql`c.approved_at is null`;
      const which = sql`u.disabled_at is null and ${approved} and ${contains([sql`u.name`], search)}`;
      const total = await countOf(db, sql`care_certificates c join users u on u.id = c.user_id where ${listedPerson(actor)} and ${which}`);
      const place = sql`(select e.name from entity_names e where e.id = u.primary_entity_id)`;
      const order = orderBy(query.sort ?? 'name', { name: sql`u.name`, place, assigned_at: sql`c.assigned_at` }, sql`c.id`);
      const certificates = await certificatesOf(db, actor, which, pagePart(query), order);
      return { data: await certificateRows(db, certificates), ...pagesOf('/api/care-certificates', query, total) };
    },
    getCareStandards: async ({ params }) => {
      return { data: existing(await standardsOf(db, params.id)) };
    },
    getCareCertificate: async ({ params, actor }) => {
      const certificate = existing((await certificatesOf(db, actor, sql`c.id = ${params.id}`))[0]);
      return { data: certificate, headers: etag(certificate.rev) };
    },
    assignCareCertificate: async ({ body, actor, request }) =>
      db.tx(async (tx) => {
        const person = existing(
          await tx.one<{ name: string; place: string }>(
            sql`select u.name, u.primary_entity_id as place from users u where u.id = ${body.user_id} and u.disabled_at is null and ${visiblePerson(actor)}`,
          ),
        );
        const id = randomUUID();
        const made =
          await tx.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at, standards_id) values (${id}, ${body.user_id}, ${actor.user.uuid}, ${now()}, ${currentStandards})
          on conflict (user_id) do nothing`);
        if (made > 0)
          await noteChange(
            tx,
            { actor, request },
            { entityId: person.place, action: 'created', subject: { kind: 'certificate', id, name: person.name } },
            now(),
          );
        const [certificate] = await certificatesOf(tx, actor, sql`c.user_id = ${body.user_id}`);
        return { data: certificate as CareCertificate };
      }),
    reviewCareCertificate: async ({ params, actor }) => {
      const certificate = existing((await certificatesOf(db, actor, sql`c.id = ${params.id}`))[0]);
      const standards = existing(await standardsOf(db, certificate.standards_id));
      const sampled = await samples(db, actor, sql`s.certificate_id = ${certificate.id}`);
      return { data: { ...reviewOf(standards, certificate), rev: certificate.rev, samples: sampled } };
    },
    approveCareCertificate: ({ params, body, actor, request }) =>
      decide({ actor, request }, params.id, 'Nobody approves their own care certificate.', async (tx, certificate) => {
        const { approved, reason = '', signature } = body;
        if (!approved && reason === '') throw invalid('reason', 'Say what is missing.');
        const progress = await certificateProgress(tx, certificate);
        if (!approved) return { approved, reason };
        if (!progress.complete)
          throw invalid(
            'approved',
            `Not every criterion is met yet: ${progress.met} of ${progress.of}, ${progress.standards_met} standards of ${progress.standards.length}.`,
          );
        if (certificate.approved_at) throw invalid('approved', 'It is approved already.');
        if (!signature || (signature.method === 'drawn') !== (signature.drawing !== null)) throw invalid('signature', 'Sign what you approve.');
        // What came in the meantime was not reviewed.
        if (signature.rev !== certificate.rev) throw new ProductError('rev_mismatch');
        const standards = await standardsOf(tx, certificate.standards_id);
        const doubtful = standards ? reviewOf(standards, certificate).doubtful.length : 0;
        if (doubtful > 0 && reason === '')
          throw invalid('reason', 'Not everybody has signed every record. Say why you approve it all the same, or send it back.');
        return { approved, reason, doubtful, method: signature.method, drawing: signature.drawing };
      }),
    withdrawApproval: ({ params, body, actor, request }) =>
      decide({ actor, request }, params.id, 'Nobody decides on the approval of their own care certificate.', async (_tx, certificate) => {
        const last = certificate.approvals.at(-1);
        if (!certificate.approved_at || !last?.approved || last.id !== body.approval_id) throw new ProductError('rev_mismatch');
        return { approved: false, reason: body.reason, withdraws: last.id };
      }),
    careCertificateFile: async ({ params, actor }) => {
      const certificate = existing((await certificatesOf(db, actor, sql`c.id = ${params.id}`))[0]);
      const standards = existing(await standardsOf(db, certificate.standards_id));
      if (!can(actor.user, certificate.user.id === actor.user.uuid ? ['care_certificate.download', 'certificate.own'] : 'care_certificate.download'))
        throw new ProductError('forbidden');
      const of = await db.one<{ role: string | null; organisation: string; entity_id: string; zone: string }>(
        sql`select r.name as role, e.time_zone as zone, e.name as organisation, e.id as entity_id from users u join entity_names e on e.id = u.primary_entity_id left join roles r on r.id = u.role_id where u.id = ${certificate.user.id}`,
      );
      const chain = await db.one<{ entries: number; hash: string }>(
        sql`select seq as entries, hash from certificate_chain where certificate_id = ${certificate.id} order by seq desc limit 1`,
      );
      const { whitelabel } = await brandOf(db, of?.entity_id ?? actor.place.id);
      const zone = of?.zone ?? actor.user.time_zone;
      const file = await careCertificatePdf({
        zone,
        ...{ certificate, standards, role: of?.role ?? null, organisation: of?.organisation ?? '', at: now(), brand: whitelabel },
        ...{ logo: await createPictures(services.files).bytesOf(whitelabel.logo), chain: chain ?? null },
      });
      return namedFile(file, 'application/pdf', `${certificate.user.name} care certificate ${downloadDay(now(), zone)}.pdf`);
    },
    addEvidencePiece: async ({ params, body, actor, request }) => {
      requireActor(request, actor);
      return { data: await keepPiece(db, actor, params.id, params.piece, body, now()) };
    },
    addEvidence: async ({ params, body, actor, request, reply }) => {
      return receive(services, { actor, request, reply }, body.changes, () => takeEvidence(actor, params.id, body.changes));
    },
    evidenceOfCertificate: async ({ params, actor }) => {
      const certificate = existing((await certificatesOf(db, actor, sql`c.id = ${params.id}`))[0]);
      return evidenceFileOf(db, services.files, sql`${certificate.id}::uuid`, params.file, actor.user.time_zone);
    },
    updateCareCertificate: async ({ params, body, actor, request, reply }) => {
      return receive(services, { actor, request, reply }, body.changes, () => take(actor, params.id, body.changes));
    },
  };
};
