import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type { CareStandards } from '#contract/entities/care-standards.ts';
import type { CompetenceRecord } from '#contract/rules/competence.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { dropCertificate, noteServerCertificate } from '#src/offline/kinds/certificate/commands.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** The data needed to record an observation offline: certificate, standards and the assessor's competence. */
const standardsKey = (id: string) => `care-standards:${id}`;
const competenceKey = 'own-competence';

/** A version of the standards on this device. It never changes, so it is fetched once. */
export const standardsHere = async (db: PersonDb, id: string): Promise<CareStandards | null> =>
  ((await db.kv.get(standardsKey(id)))?.value as CareStandards | undefined) ?? null;
const fetchStandards = async (db: PersonDb, id: string): Promise<void> => {
  if (await standardsHere(db, id)) return;
  const result = await call('GET /care-standards/{id}', { params: { id } }, { quiet: true });
  if (result.kind === 'ok') await db.kv.put({ key: standardsKey(id), value: result.data });
};

/** The person's own competence as last received; requested with every certificate. */
export const ownCompetence = async (db: PersonDb): Promise<CompetenceRecord[]> =>
  ((await db.kv.get(competenceKey))?.value as CompetenceRecord[] | undefined) ?? [];
const fetchCompetence = async (db: PersonDb): Promise<void> => {
  const result = await call('GET /users/{id}/competence', { params: { id: db.personId } }, { timeoutMs: 8000, quiet: true });
  if (result.kind === 'ok') await db.kv.put({ key: competenceKey, value: result.data });
};

/** Fetches a certificate and stores it with everything needed to record, or deletes one that is no longer open to the person. Returns the server's answer. */
export const fetchCertificate = async (db: PersonDb, id: string): Promise<Result<CareCertificate>> => {
  const result = await call('GET /care-certificates/{id}', { params: { id } }, { timeoutMs: 8000, quiet: true });
  if (result.kind === 'ok') {
    await Promise.all([fetchStandards(db, result.data.standards_id), fetchCompetence(db)]);
    await noteServerCertificate(db, result.data);
  }
  // The person was given to somebody else, or has left: what is on this device of them goes.
  if (result.kind === 'refused' && (result.error.code === 'not_found' || result.error.code === 'forbidden')) await dropCertificate(db, id);
  return result;
};
/** Whether this device has a certificate and everything needed to record for it. */
export const isCertificateHere = async (db: PersonDb, id: string): Promise<boolean> => {
  const kept = await db.certificates.get(id);
  return kept !== undefined && (await standardsHere(db, kept.standards_id)) !== null;
};
