import type { CareCertificate, CertificateRow } from '#contract/entities/care-certificate.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { certificateProgress } from '#server/features/care-certificates/certificates.rows.ts';

/** Certificates as lists show them, in their order: whose, where they work, and how far each has got. */
export const certificateRows = async (db: Db, certificates: readonly CareCertificate[]): Promise<CertificateRow[]> => {
  const places = new Map(
    (
      await db.all<{ id: string; place: string; role: string | null }>(
        sql`select u.id, e.name as place, (select r.name from roles r where r.id = u.role_id) as role from users u join entity_names e on e.id = u.primary_entity_id where u.id = any(${certificates.map((c) => c.user.id)}::uuid[])`,
      )
    ).map((p) => [p.id, p]),
  );
  const rows: CertificateRow[] = [];
  for (const certificate of certificates) {
    const { id, user, assigned_at, approved_at, observations } = certificate;
    const { met, of, standards_met, standards, complete } = await certificateProgress(db, certificate);
    rows.push({
      ...{ id, user, assigned_at, approved_at, met, of, standards_met, standards_of: standards.length },
      ...{ place: places.get(user.id)?.place ?? '', role: places.get(user.id)?.role ?? null },
      last_observed_at: observations.reduce<string | null>((last, o) => (last === null || o.at > last ? o.at : last), null),
      waiting: complete && approved_at === null,
    });
  }
  return rows;
};
