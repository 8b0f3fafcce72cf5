import { can } from '#contract/can.ts';
import type { ResultType } from '#contract/entities/result.ts';
import { readCertificateNumber } from '#contract/rules/certificate-number.ts';
import { dayIn, isOver } from '#contract/rules/days.ts';
import { lastValidDay } from '#contract/rules/result-dates.ts';
import { existing } from '#server/db/rows.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import { certificatePdf } from '#server/features/results/certificate-pdf.service.ts';
import { certificateOf, certificatesWhere, createLooks } from '#server/features/results/certificates.rows.ts';
import { isCertified, seesDeleted } from '#server/features/results/results.rows.ts';
import { trainingRecordPdf } from '#server/features/results/training-record-pdf.ts';
import { evidenceFile } from '#server/features/users/evidence.service.ts';
import type { Actor } from '#server/actor.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { ProductError } from '#server/product-error.ts';
import { createThrottle } from '#server/security/throttle.ts';
import type { Services } from '#server/services.ts';

type Dated = { completed_at: string; expires_at: string | null; score: number | null };

/** Certificates of results, their evidence, and a person's whole training record as a document. */
export const certificatesOf = ({ db, files, now, config }: Pick<Services, 'db' | 'files' | 'now' | 'config'>) => {
  const throttle = createThrottle(db, now);
  const lookOf = createLooks(db, files, config);
  return {
    one: async (actor: Actor, id: string) => {
      const [row] = await certificatesWhere(db, sql`r.id = ${id} and ${visiblePerson(actor)}`);
      if (!row) throw new ProductError('certificate_unavailable');
      if (!can(actor.user, row.user_id === actor.user.uuid ? 'certificate.own' : 'certificate.user')) throw new ProductError('forbidden');
      const file = await certificatePdf(certificateOf(row, await lookOf(row)));
      return { file, type: 'application/pdf', name: `${row.name} ${downloadDay(now(), row.zone)}.pdf` };
    },
    /** Whether the certificate with a typed number is valid. Does not reveal its person, course or organisation. */
    verify: async (typed: string, ip: string) => {
      const number = readCertificateNumber(typed);
      if (!number) throw new ProductError('not_found');
      const guess = await throttle.begin({ action: 'verify-certificate', ip });
      const row = existing(
        await db.one<{ expires_at: string | null; zone: string; replaced: boolean }>(sql`
          with asked as (select r.* from results r where r.certificate_number = ${number} and ${isCertified})
          select a.expires_at, e.time_zone as zone, exists (select 1 from results r where r.user_id = a.user_id and r.course_id = a.course_id and ${isCertified}
            and (r.completed_at, r.created_at, r.id) > (a.completed_at, a.created_at, a.id)
              and coalesce(r.expires_at, 'infinity') >= coalesce(a.expires_at, 'infinity')) as replaced
          from asked a join users u on u.id = a.user_id join entities e on e.id = u.primary_entity_id`),
      );
      await guess.succeeded();
      const { expires_at: end, zone, replaced } = row;
      const expired = end !== null && isOver(end, now(), zone);
      return {
        status: expired ? ('expired' as const) : ('valid' as const),
        valid_until: end && lastValidDay(end, zone),
        expired_on: expired ? dayIn(end, zone) : null,
        replaced,
      };
    },
    evidence: async (actor: Actor, id: string) => {
      const result = await db.one<{ evidence_id: string }>(
        sql`select r.evidence_id from results r join users u on u.id = r.user_id where r.id = ${id} and r.evidence_id is not null and ${seesDeleted(actor)} and ${visiblePerson(actor)}`,
      );
      return evidenceFile(db, files, sql`v.id = ${result?.evidence_id ?? null}`);
    },
    /** A person's completed training, without results for which no certificate may be issued. */
    transcript: async (actor: Actor, userId: string) => {
      type Row = { name: string; role: string | null; organisation: string; entity_id: string; zone: string };
      const person = existing(
        await db.one<Row>(sql`select u.name, r.name as role, e.name as organisation, e.id as entity_id, e.time_zone as zone
        from users u join entities e on e.id = u.primary_entity_id left join roles r on r.id = u.role_id where u.id = ${userId} and ${visiblePerson(actor)}`),
      );
      if (!can(actor.user, userId === actor.user.uuid ? 'certificate.own' : 'certificate.user')) throw new ProductError('forbidden');
      const results = await db.all<Dated & { title: string; type: ResultType }>(
        sql`select c.title, r.type, r.completed_at, r.expires_at, r.score from current_results r join course_titles c on c.id = r.course_id where r.user_id = ${userId} and not r.certificate_suppressed order by r.completed_at desc, c.title limit 1000`,
      );
      const brand = await brandOf(db, person.entity_id);
      const logo = await createPictures(files).bytesOf(brand.whitelabel.logo);
      const file = await trainingRecordPdf({ ...person, at: now(), brand: brand.whitelabel, logo, results });
      return { file, type: 'application/pdf', name: `${person.name} training record ${downloadDay(now(), person.zone)}.pdf` };
    },
  };
};
