import { certificateNumberWords } from '#contract/rules/certificate-number.ts';
import type { Config } from '#server/config.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import { type Certificate, type CertificateLook, verifyAddress } from '#server/features/results/certificate-pdf.service.ts';
import { isCertified } from '#server/features/results/results.rows.ts';
import type { FileStore } from '#server/files/file-store.ts';

/** The contents of a certificate, from the current version of its result. */
export type CertificateRow = {
  id: string;
  user_id: string;
  course_id: string;
  name: string;
  course: string;
  organisation: string;
  entity_id: string;
  zone: string;
  completed_at: string;
  expires_at: string | null;
  score: number | null;
  certificate_number: string;
};

/** Results with person, course and organisation: `r`, `u`, `c` and `e`. */
export const certificateSource: Statement = sql`results r join users u on u.id = r.user_id join course_titles c on c.id = r.course_id join entities e on e.id = u.primary_entity_id`;
/** The certificates of this condition on `certificateSource`; results without a certificate are left out. */
export const certificatesWhere = (db: Db, where: Statement): Promise<CertificateRow[]> =>
  db.all<CertificateRow>(sql`select r.id, u.id as user_id, c.id as course_id, u.name, c.title as course, e.name as organisation, e.id as entity_id, e.time_zone as zone,
    r.completed_at, r.expires_at, r.score, r.certificate_number from ${certificateSource} where ${isCertified} and ${where}`);

/** Loads the common part of an organisation's certificates, once for each. */
export const createLooks = (db: Db, files: FileStore, config: Pick<Config, 'PUBLIC_URL'>) => {
  const pictures = createPictures(files);
  const most = 50;
  const known = new Map<string, CertificateLook>();
  return async (place: Pick<CertificateRow, 'entity_id' | 'organisation' | 'zone'>): Promise<CertificateLook> => {
    const found = known.get(place.entity_id);
    if (found) return found;
    const { whitelabel, certificate } = await brandOf(db, place.entity_id);
    const look = {
      ...{ organisation: place.organisation, zone: place.zone, verifyAt: verifyAddress(config), brand: whitelabel, wording: certificate },
      ...{ logo: await pictures.bytesOf(whitelabel.logo), signature: await pictures.bytesOf(certificate.signature) },
    };
    if (known.size >= most) known.clear();
    known.set(place.entity_id, look);
    return look;
  };
};

export const certificateOf = (row: CertificateRow, look: CertificateLook): Certificate => ({
  ...{ look, name: row.name, course: row.course, score: row.score, completedAt: row.completed_at, expiresAt: row.expires_at },
  number: certificateNumberWords(row.certificate_number),
});
