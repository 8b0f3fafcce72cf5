import { useLiveQuery } from 'dexie-react-hooks';
import { useCallback, useEffect, useState } from 'react';
import type { CareStandards, Criterion } from '#contract/entities/care-standards.ts';
import { type CertificateProgress, type CriterionState, criteriaNow, progressOf } from '#contract/rules/certificate-progress.ts';
import type { Noted } from '#contract/rules/competence.ts';
import { call } from '#src/api/call.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { noteServerCertificate } from '#src/offline/commands/certificate.ts';
import type { CertificateRow, DecisionRow, ObservationRow, PersonDb } from '#src/offline/store/person-db.ts';

const standardsKey = (id: string) => `care-standards:${id}`;

/** A version of the standards, as this tablet has it. It never changes, so it is fetched once. */
const standardsHere = async (db: PersonDb, id: string): Promise<CareStandards | null> =>
  ((await db.kv.get(standardsKey(id)))?.value as CareStandards | undefined) ?? null;
const fetchStandards = async (db: PersonDb, id: string): Promise<void> => {
  if (await standardsHere(db, id)) return;
  const result = await call('GET /care-standards/{id}', { params: { id } }, { quiet: true });
  if (result.kind === 'ok') await db.kv.put({ key: standardsKey(id), value: result.data });
};

const competenceKey = 'own-competence';
/** What is noted of the person's own competence to assess others, as this tablet heard it last; asked for with every certificate. */
export const useOwnCompetence = (): Noted[] => {
  const db = usePersonDb();
  return useLiveQuery(async () => ((await db.kv.get(competenceKey))?.value as Noted[] | undefined) ?? [], [db]) ?? [];
};
const fetchCompetence = async (db: PersonDb): Promise<void> => {
  const result = await call('GET /users/{id}/competence', { params: { id: db.personId } }, { timeoutMs: 8000, quiet: true });
  if (result.kind === 'ok') await db.kv.put({ key: competenceKey, value: result.data });
};

/** A certificate as this tablet knows it: what came from the server, and what was recorded here and has not gone yet. */
export type CertificateView = {
  certificate: CertificateRow;
  standards: CareStandards;
  /** In the order in which they came; what was recorded here last. */
  observations: ObservationRow[];
  decisions: DecisionRow[];
  criteria: Map<string, Criterion>;
  states: Map<string, CriterionState>;
  progress: CertificateProgress;
};

const viewOf = async (db: PersonDb, certificate: CertificateRow): Promise<CertificateView | null> => {
  const standards = await standardsHere(db, certificate.standards_id);
  if (!standards) return null;
  const [rows, decisions] = await Promise.all([
    db.observations.where('certificate_id').equals(certificate.id).toArray(),
    db.decisions.where('certificate_id').equals(certificate.id).toArray(),
  ]);
  const last = '9';
  const order = (o: ObservationRow) => `${o.received_at ?? last} ${o.at}`;
  const observations = rows.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return {
    ...{ certificate, standards, observations, decisions },
    criteria: new Map(standards.standards.flatMap((s) => s.outcomes.flatMap((o) => o.criteria)).map((c) => [c.code, c])),
    states: criteriaNow(standards, { observations, decisions }),
    progress: progressOf(standards, { observations, decisions }),
  };
};

type Problem = { offline: boolean; message: string };

/** One certificate, kept up to date from this tablet; fetched when the page opens, when the line comes back and by `reload`. */
export const useCertificate = (id: string) => {
  const db = usePersonDb();
  const [problem, setProblem] = useState<Problem | null>(null);
  const reload = useCallback(async () => {
    const result = await call('GET /care-certificates/{id}', { params: { id } }, { timeoutMs: 8000, quiet: true });
    if (result.kind === 'ok') {
      await Promise.all([fetchStandards(db, result.data.standards_id), fetchCompetence(db)]);
      await noteServerCertificate(db, result.data);
    }
    const kept = await db.certificates.get(id);
    if (kept && (await standardsHere(db, kept.standards_id))) return setProblem(null);
    setProblem(
      result.kind === 'refused'
        ? { offline: false, message: result.error.message }
        : { offline: true, message: 'This certificate is not on this tablet yet. Open it once with a connection; then it is.' },
    );
  }, [db, id]);
  useEffect(() => {
    void reload();
    const again = () => void reload();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [reload]);
  const view = useLiveQuery(async () => {
    const certificate = await db.certificates.get(id);
    return certificate ? viewOf(db, certificate) : null;
  }, [db, id]);
  return { view: view ?? null, problem, reload };
};

/** The certificates that this tablet has, by name. */
export const useKeptCertificates = (): CertificateView[] | undefined => {
  const db = usePersonDb();
  return useLiveQuery(async () => {
    const views = await Promise.all((await db.certificates.toArray()).map((c) => viewOf(db, c)));
    return views.filter((v) => v !== null).sort((a, b) => (a.certificate.user.name < b.certificate.user.name ? -1 : 1));
  }, [db]);
};
