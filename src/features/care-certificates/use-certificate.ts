import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useCallback, useEffect, useState } from 'react';
import type { CareStandards, Criterion } from '#contract/entities/care-standards.ts';
import { type CertificateProgress, type CriterionState, criteriaNow, progressOf } from '#contract/rules/certificate-progress.ts';
import type { CompetenceRecord } from '#contract/rules/competence.ts';
import { fetchCertificate, isCertificateHere, ownCompetence, standardsHere } from '#src/device/certificates-here.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { CertificateRow, DecisionRow, ObservationRow, PersonDb } from '#src/offline/store/person-db.ts';

/** The person's own competence to assess others, as last received. */
export const useOwnCompetence = (): CompetenceRecord[] => {
  const db = usePersonDb();
  return useLiveQuery(() => ownCompetence(db), [db]) ?? [];
};

/** A certificate on this device: the server's copy with unsent entries. */
export type CertificateView = {
  certificate: CertificateRow;
  standards: CareStandards;
  /** In order of arrival; unsent ones from this device last. */
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

/** One certificate, live from this device; fetched when the page opens, when the connection returns and by `reload`. */
export const useCertificate = (id: string) => {
  const db = usePersonDb();
  const [problem, setProblem] = useState<Problem | null>(null);
  const reload = useCallback(async () => {
    const result = await fetchCertificate(db, id);
    if (await isCertificateHere(db, id)) return setProblem(null);
    setProblem(
      result.kind === 'refused'
        ? { offline: false, message: result.error.message }
        : { offline: true, message: 'This certificate is not on this device yet. Open it once with a connection; then it is.' },
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

/** The certificates on this device, by name. */
export const useKeptCertificates = (): CertificateView[] | undefined => {
  const db = usePersonDb();
  return useLiveQuery(async () => {
    const views = await Promise.all((await db.certificates.toArray()).map((c) => viewOf(db, c)));
    return views.filter((v) => v !== null).sort((a, b) => (a.certificate.user.name < b.certificate.user.name ? -1 : 1));
  }, [db]);
};
