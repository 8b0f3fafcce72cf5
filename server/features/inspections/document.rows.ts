import { bestFirst } from '#server/features/results/results.rows.ts';
import type { InspectionDocument, NewInspection } from '#contract/entities/inspection.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { addScores, scoreOf, scoresOf } from '#contract/matrix/scores.ts';
import { cellAt, dayOfNumber } from '#contract/matrix/sheet.ts';
import { plainFilter } from '#contract/reports/filter.ts';
import { certificateNumberWords } from '#contract/rules/certificate-number.ts';
import { dayIn } from '#contract/rules/days.ts';
import type { Actor } from '#server/actor.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { certificateRows, certificatesOf } from '#server/features/care-certificates/certificates.rows.ts';
import { cellsOf } from '#server/features/matrix/cells.rows.ts';
import { headOf } from '#server/features/matrix/head.rows.ts';
import { policiesOf } from '#server/features/inspections/policies.rows.ts';
import { type CertificateRow, certificatesWhere } from '#server/features/results/certificates.rows.ts';

/** The frozen content: the document, and the certificates to be drawn. */
export type Frozen = { document: InspectionDocument; certificates: readonly CertificateRow[]; careCertificates: readonly string[] };
type Asked = {
  asked: NewInspection;
  name: string;
  chosen: string;
  zone: string;
  brand: Whitelabel;
  /** Whether the actor may see other people's certificates, and download their Care Certificates. */
  may: { certificates: boolean; care: boolean };
};

/** The compliance of the people of a filter at this moment, read within one transaction: all of it is of the same instant. */
export const documentOf = async (tx: Db, actor: Actor, { asked, name, chosen, zone, brand, may }: Asked, now: Date): Promise<Frozen> => {
  await tx.run(sql`set transaction isolation level repeatable read`);
  const { filter } = asked;
  const head = await headOf(tx, actor, { ...plainFilter, ...filter }, now);
  const { people, columns, roles } = head;
  const sheet = await (await cellsOf(tx, head, now))(0, people.length);
  const scores = scoresOf(sheet, filter.compliance_type);
  const whole = { required: 0, in_date: 0 };
  for (const row of scores.rows) addScores(whole, row);
  const scored = (score: { required: number; in_date: number }) => ({ ...score, score: scoreOf(score) });

  const [userIds, courseIds] = [people.map((p) => p.id), columns.map((c) => c.id)];
  const certificates = may.certificates
    ? await certificatesWhere(
        tx,
        sql`r.id in (select distinct on (r.user_id, r.course_id) r.id from results r
          where r.user_id = any(${userIds}::uuid[]) and r.course_id = any(${courseIds}::uuid[]) and r.status = 'approved' and r.type <> 'exempt'
          order by r.user_id, r.course_id, ${bestFirst})`,
      )
    : [];
  const numbers = new Map(certificates.map((c) => [`${c.user_id} ${c.course_id}`, certificateNumberWords(c.certificate_number)]));
  const roleNames = new Map(roles.map((r) => [r.id, r.name]));
  const order = new Map(userIds.map((id, i) => [id, i]));
  const care = may.care ? await certificateRows(tx, await certificatesOf(tx, actor, sql`u.id = any(${userIds}::uuid[])`)) : [];

  const document: InspectionDocument = {
    format: 'lantern-inspection-1',
    ...{ name, organisation: actor.place.name, frozen_at: now.toISOString(), frozen_by: actor.user.name, chosen, time_zone: zone },
    words: {
      primary: brand.primaryComplianceAltName,
      secondary: brand.secondaryComplianceAltName,
      care_certificate: brand.certificateGroupMenuName,
    },
    ...scored(whole),
    courses: columns.map(({ title }, c) => ({ title, ...scored(scores.columns[c] ?? { required: 0, in_date: 0 }) })),
    people: people.map((person, row) => ({
      ...{ name: person.name, role: roleNames.get(person.role_id ?? '') ?? null, service: person.place.name, started_on: person.started_on },
      ...scored(scores.rows[row] ?? { required: 0, in_date: 0 }),
      lines: columns.flatMap((course, c) => {
        const { status, type, exempt, other, done, completed, expires } = cellAt(sheet, row, c);
        if (type === 'none' && !done) return [];
        return [
          {
            ...{ c, status, type, exempt: exempt && done, other },
            ...{ completed: done ? dayOfNumber(completed) : null, expires: done ? dayOfNumber(expires) : null },
            certificate: done && !exempt && !other ? (numbers.get(`${person.id} ${course.id}`) ?? null) : null,
          },
        ];
      }),
    })),
    care_certificates: may.care
      ? care
          .toSorted((a, b) => (order.get(a.user.id) ?? 0) - (order.get(b.user.id) ?? 0))
          .map((c) => ({
            ...{ person: c.user.name, service: c.place, standards_met: c.standards_met, standards_of: c.standards_of, waiting: c.waiting },
            approved_on: c.approved_at === null ? null : dayIn(c.approved_at, zone),
          }))
      : null,
    policies: asked.policies ? await policiesOf(tx, people, columns, (row, c) => cellAt(sheet, row, c).type !== 'none', zone, now) : null,
  };
  return { document, certificates, careCertificates: care.map((c) => c.id) };
};
