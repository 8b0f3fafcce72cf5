import { randomUUID } from 'node:crypto';
import type { approveCareCertificate, withdrawApproval } from '#contract/api/care-certificates.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import type { Approval, CareCertificate } from '#contract/entities/care-certificate.ts';
import { currentStandards } from '#contract/entities/care-standards.ts';
import { reviewOf } from '#contract/rules/approval-review.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { personAt } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import { careCertificatePdf } from '#server/features/care-certificates/certificate-pdf.ts';
import { certificateOf, certificateProgress, certificatesOf, standardsOf } from '#server/features/care-certificates/certificates.rows.ts';
import { samples } from '#server/features/care-certificates/quality.service.ts';
import { tellAssigned, tellDecided, type Telling } from '#server/features/care-certificates/tell-of-certificate.ts';
import type { Actor } from '#server/actor.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Decided = {
  approved: boolean;
  reason: string;
  method?: Approval['method'];
  drawing?: string | null;
  doubtful?: number;
  withdraws?: string;
};

/** Care certificates as a whole: assigned, reviewed, approved and downloaded. */
export const careCertificatesOf = (services: Pick<Services, 'files'> & Telling) => {
  const { db, files, now, mail } = services;
  /** Adds an entry about the whole certificate to its chain, under its lock. Never about one's own. */
  const decide = async (
    by: By,
    id: string,
    never: string,
    entryOf: (tx: Db, certificate: CareCertificate) => Promise<Decided>,
  ): Promise<CareCertificate> => {
    const decided = await db.tx(async (tx) => {
      await lockEntity(tx, id);
      const certificate = await certificateOf(tx, by.actor, id);
      if (certificate.user.id === by.actor.user.uuid) throw new ProductError('forbidden', { message: never });
      const { approved, reason, method = null, drawing = null, doubtful = null, withdraws = null } = await entryOf(tx, certificate);
      const entry = { id: randomUUID(), certificate_id: id, approved, reason: reason || null, by_id: by.actor.user.uuid, at: now() };
      const sealed = sql`(select h.hash from certificate_chain h where h.certificate_id = ${id} order by h.seq desc limit 1)`;
      await tx.run(insertRow('certificate_approvals', { ...entry, method, drawing, doubtful, withdraws, sealed }));
      await tx.run(sql`update care_certificates set approved_at = ${approved ? now() : null}, rev = rev + 1 where id = ${id}`);
      const place = await tx.one<{ id: string }>(sql`select primary_entity_id as id from users where id = ${certificate.user.id}`);
      const subject = { kind: 'certificate' as const, id, name: certificate.user.name };
      const after = withdraws ? { approval_withdrawn: reason } : approved ? { approved: true, ...(reason ? { reason } : {}) } : { sent_back: reason };
      await noteChange(tx, by, now(), { entityId: place?.id ?? by.actor.place.id, action: 'updated', subject, after });
      const what = withdraws ? 'withdrawn' : approved ? 'approved' : 'sent_back';
      const approver = withdraws ? certificate.approvals.find((a) => a.id === withdraws)?.by.id : undefined;
      await tellDecided(services, tx, by.actor, certificate, { what, reason, approver });
      return certificateOf(tx, by.actor, id);
    });
    mail.wake();
    return decided;
  };

  return {
    assign: async (by: By, userId: string): Promise<CareCertificate> => {
      const assigned = await db.tx(async (tx) => {
        const { actor } = by;
        const person = await personAt(tx, actor, userId);
        existing(!person.has_left);
        const id = randomUUID();
        const assignment = { id, user_id: userId, assigned_by: actor.user.uuid, assigned_at: now(), standards_id: currentStandards };
        const made = await tx.run(sql`${insertRow('care_certificates', assignment)} on conflict (user_id) do nothing`);
        const subject = { kind: 'certificate' as const, id, name: person.name };
        if (made > 0) {
          await noteChange(tx, by, now(), { entityId: person.place, action: 'created', subject });
          await tellAssigned(services, tx, actor, userId);
        }
        return existing((await certificatesOf(tx, actor, sql`c.user_id = ${userId}`))[0]);
      });
      mail.wake();
      return assigned;
    },
    review: async (actor: Actor, id: string) => {
      const certificate = await certificateOf(db, actor, id);
      const standards = existing(await standardsOf(db, certificate.standards_id));
      const sampled = await samples(db, actor, sql`s.certificate_id = ${certificate.id}`);
      return { ...reviewOf(standards, certificate), rev: certificate.rev, samples: sampled };
    },
    approve: (by: By, id: string, { approved, reason, rev, signature }: BodyOf<typeof approveCareCertificate>) =>
      decide(by, id, 'Nobody approves their own care certificate.', async (tx, certificate) => {
        const progress = await certificateProgress(tx, certificate);
        if (!approved) {
          // What was decided or arrived in the meantime was not looked at; an approval is withdrawn, not sent back.
          if (certificate.approved_at || (rev !== undefined && rev !== certificate.rev)) throw new ProductError('rev_mismatch');
          return { approved, reason };
        }
        if (signature && signature.rev !== certificate.rev && certificate.approved_at) throw new ProductError('rev_mismatch');
        if (!progress.complete)
          throw invalid(
            'approved',
            `Not every criterion is met yet: ${progress.met} of ${progress.of}, ${progress.standards_met} standards of ${progress.standards.length}.`,
          );
        if (certificate.approved_at) throw invalid('approved', 'It is approved already.');
        if (!signature || (signature.method === 'drawn') !== (signature.drawing !== null)) throw invalid('signature', 'Sign what you approve.');
        // What arrived in the meantime was not reviewed.
        if (signature.rev !== certificate.rev) throw new ProductError('rev_mismatch');
        const standards = await standardsOf(tx, certificate.standards_id);
        const doubtful = standards ? reviewOf(standards, certificate).doubtful.length : 0;
        if (doubtful > 0 && reason === '')
          throw invalid('reason', 'Not everybody has signed every record. Say why you approve it all the same, or send it back.');
        return { approved, reason, doubtful, method: signature.method, drawing: signature.drawing };
      }),
    withdraw: (by: By, id: string, { approval_id, reason }: BodyOf<typeof withdrawApproval>) =>
      decide(by, id, 'Nobody decides on the approval of their own care certificate.', async (_tx, certificate) => {
        const last = certificate.approvals.at(-1);
        if (!certificate.approved_at || !last?.approved || last.id !== approval_id) throw new ProductError('rev_mismatch');
        return { approved: false, reason, withdraws: last.id };
      }),
    file: async (actor: Actor, id: string) => {
      const certificate = await certificateOf(db, actor, id);
      const standards = existing(await standardsOf(db, certificate.standards_id));
      if (!can(actor.user, certificate.user.id === actor.user.uuid ? ['care_certificate.download', 'certificate.own'] : 'care_certificate.download'))
        throw new ProductError('forbidden');
      const holder = await db.one<{ role: string | null; organisation: string; entity_id: string; zone: string }>(
        sql`select r.name as role, e.time_zone as zone, e.name as organisation, e.id as entity_id from users u join entity_names e on e.id = u.primary_entity_id left join roles r on r.id = u.role_id where u.id = ${certificate.user.id}`,
      );
      const chain = await db.one<{ entries: number; hash: string }>(
        sql`select seq as entries, hash from certificate_chain where certificate_id = ${certificate.id} order by seq desc limit 1`,
      );
      const { whitelabel } = await brandOf(db, holder?.entity_id ?? actor.place.id);
      const zone = holder?.zone ?? actor.user.time_zone;
      const file = await careCertificatePdf({
        zone,
        ...{ certificate, standards, role: holder?.role ?? null, organisation: holder?.organisation ?? '', at: now(), brand: whitelabel },
        ...{ logo: await createPictures(files).bytesOf(whitelabel.logo), chain: chain ?? null },
      });
      return { file, type: 'application/pdf', name: `${certificate.user.name} care certificate ${downloadDay(now(), zone)}.pdf` };
    },
  };
};
