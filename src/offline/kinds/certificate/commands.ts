import type { ArgsOf } from '#contract/kinds.ts';
import type { CareCertificate, ObservationRecord, SignatureArgs, SupervisionArgs } from '#contract/entities/care-certificate.ts';
import type { EvidenceNote } from '#contract/entities/care-evidence.ts';
import { evidenceTypes } from '#contract/evidence-kinds.ts';
import { correctedNow, skewMs } from '#src/offline/clock.ts';
import { certificateTables, signatureOf, supervisionOf, takeCertificate } from '#src/offline/kinds/certificate/lane.ts';
import { entriesOfThing, laneName } from '#src/offline/kinds/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { renewChoices } from '#src/offline/outbox/renew-choices.ts';
import { askAgainWhereAgreed } from '#src/offline/outbox/resolve.ts';
import type { NewEntry } from '#src/offline/ports.ts';
import type { DecisionRow, PersonDb } from '#src/offline/store/person-db.ts';

/** An assessor's changes to a care certificate. Each resolves once it is saved on this device. */
type Assessor = { uuid: string; name: string };
type Certificate = { id: string; user: { name: string } };

/** A file attached to a record, with its bytes in base64. */
export type EvidenceData = EvidenceNote & { data: string };
const fileWords = { photo: 'A photograph', audio: 'A recording', document: 'A document' } as const;
/** Each file has its own lane, by its id, so that record and file do not wait for each other. */
const fileEntries = (certificate: Certificate, files: readonly EvidenceData[], at: string): NewEntry[] =>
  files.map(({ id, type, bytes, hash, data }) => ({
    id,
    lane: laneName('evidence', id),
    command: 'evidence.add',
    args: { certificate_id: certificate.id, bytes, hash, data },
    sentence: `${fileWords[evidenceTypes[type].kind]} for ${certificate.user.name}`,
    mergeKey: null,
    at,
  }));

/**
 * Records an observation and its decisions. The observation itself is always accepted; each decision has its own lane, because
 * two assessors may decide differently.
 */
export const recordObservation = async (
  db: PersonDb,
  me: Assessor,
  certificate: Certificate,
  record: ObservationRecord,
  files: readonly EvidenceData[] = [],
): Promise<string> => {
  const id = newId();
  const at = correctedNow().toISOString();
  const author = { id: me.uuid, name: me.name };
  let decisions: DecisionRow[] = [];
  await commit(
    db,
    me.uuid,
    certificateTables(db),
    async () => {
      const known = await db.decisions.where('certificate_id').equals(certificate.id).toArray();
      const decided = record.criteria.filter((c) => c.outcome !== 'not_observed');
      decisions = decided.map(({ criterion, outcome }) => ({
        id: newId(),
        certificate_id: certificate.id,
        criterion,
        outcome,
        observation_id: id,
        by: author,
        at,
      }));
      const entries: NewEntry[] = [
        {
          id,
          lane: laneName('certificate', certificate.id),
          command: 'observation.record',
          args: record,
          sentence: `Observed ${certificate.user.name}`,
          mergeKey: null,
          at,
        },
      ];
      for (const d of decisions)
        entries.push({
          id: d.id,
          lane: laneName('certificate', certificate.id, d.criterion),
          command: 'observation.decide',
          args: {
            criterion: d.criterion,
            outcome: d.outcome,
            observation_id: id,
            instead_of: known.find((k) => k.criterion === d.criterion)?.id ?? null,
          },
          sentence: `Decided on ${d.criterion} for ${certificate.user.name}`,
          mergeKey: null,
          at,
          dependsOn: [id],
        });
      return [...entries, ...fileEntries(certificate, files, at)];
    },
    () =>
      Promise.all([
        db.observations.put({
          id,
          certificate_id: certificate.id,
          kind: 'observation',
          about: null,
          reason: null,
          record,
          assessor: author,
          at,
          received_at: null,
          skew_ms: skewMs() || null,
        }),
        db.decisions.bulkPut(decisions),
      ]),
  );
  await askAgainWhereAgreed(db, laneName('certificate', certificate.id));
  return id;
};

/** Corrects an entry with a new one, or withdraws it if there is no new record. The original is kept. */
export const amendObservation = async (
  db: PersonDb,
  me: Assessor,
  certificate: Certificate,
  about: string,
  reason: string,
  record: ObservationRecord | null,
  files: readonly EvidenceData[] = [],
): Promise<string> => {
  const id = newId();
  const at = correctedNow().toISOString();
  const kind = record ? 'correction' : 'withdrawal';
  await commit(
    db,
    me.uuid,
    certificateTables(db),
    [
      {
        id,
        lane: laneName('certificate', certificate.id),
        command: record ? 'observation.correct' : 'observation.withdraw',
        args: record ? { about, reason, record } : { about, reason },
        sentence: `${record ? 'Corrected' : 'Withdrew'} an observation of ${certificate.user.name}`,
        mergeKey: null,
        at,
        dependsOn: [about],
      },
      ...fileEntries(certificate, files, at),
    ],
    () =>
      db.observations.put({
        id,
        certificate_id: certificate.id,
        kind,
        about,
        reason,
        record,
        assessor: { id: me.uuid, name: me.name },
        at,
        received_at: null,
        skew_ms: skewMs() || null,
      }),
  );
  return id;
};

/** Adds a signature to a record: the assessor's own, or that of a person who is present. */
export const signRecord = async (db: PersonDb, me: Assessor, certificate: Certificate, args: SignatureArgs): Promise<string> => {
  const change = { id: newId(), at: correctedNow().toISOString(), args, actor: me.uuid };
  const whose = {
    assessor: 'Signed the record of',
    learner: 'The signature of',
    witness: 'A witness’s signature for',
    verifier: 'Asked the witness for',
  };
  await commit(
    db,
    me.uuid,
    certificateTables(db),
    [
      {
        ...change,
        lane: laneName('certificate', certificate.id),
        command: 'observation.sign',
        sentence: `${whose[args.signer]} ${certificate.user.name}`,
        mergeKey: null,
        dependsOn: [args.about],
      },
    ],
    () =>
      db.certificates
        .where('id')
        .equals(certificate.id)
        .modify((row) => {
          row.signatures = [...(row.signatures ?? []), signatureOf(change, me.name)];
        }),
  );
  return change.id;
};

/** Sets the level of supervision in a standard. */
export const grantSupervision = async (db: PersonDb, me: Assessor, certificate: Certificate, args: SupervisionArgs): Promise<void> => {
  const change = { id: newId(), at: correctedNow().toISOString(), args, actor: me.uuid };
  await commit(
    db,
    me.uuid,
    certificateTables(db),
    [
      {
        ...change,
        // After everything recorded and decided here, because the server checks whether the standard is met.
        lane: laneName('certificate', certificate.id),
        command: 'supervision.grant',
        sentence: `Supervision of ${certificate.user.name} in standard ${args.standard}`,
        mergeKey: null,
        dependsOn: (await entriesOfThing(db, laneName('certificate', certificate.id)))
          .filter((e) => e.command === 'observation.decide')
          .map((e) => e.id),
      },
    ],
    () =>
      db.certificates
        .where('id')
        .equals(certificate.id)
        .modify((row) => {
          row.supervision = [...(row.supervision ?? []), supervisionOf(change, me.name)];
        }),
  );
};

/** The key of a file downloaded for offline viewing. */
export const keptFileKey = (id: string): string => `kept-file:${id}`;
/** The bytes of a file (base64) if this device has them: unsent, recently sent, or downloaded for a visit. Otherwise null. */
export const evidenceHere = async (db: PersonDb, id: string): Promise<string | null> => {
  const entry = (await db.outbox.where('id').equals(id).first()) ?? (await db.settled.get(id));
  return (entry?.args as ArgsOf<'evidence.add'> | undefined)?.data ?? ((await db.kv.get(keptFileKey(id)))?.value as string | undefined) ?? null;
};

/** Stores a certificate that was read online. */
export const noteServerCertificate = async (db: PersonDb, certificate: CareCertificate): Promise<void> => {
  await db.transaction('rw', [db.outbox, ...certificateTables(db)], async () => {
    const waiting = await entriesOfThing(db, laneName('certificate', certificate.id));
    await takeCertificate(db, certificate, waiting);
    await renewChoices(db, waiting, certificate);
  });
  await askAgainWhereAgreed(db, laneName('certificate', certificate.id));
};

/** Deletes a certificate that the person may no longer see, with its entries; with unsent work it stays. Returns whether it was deleted. */
export const dropCertificate = (db: PersonDb, id: string): Promise<boolean> =>
  db.transaction('rw', [db.outbox, ...certificateTables(db)], async () => {
    const files = await db.outbox.where('lane').startsWith(laneName('evidence', '')).toArray();
    if (files.some((e) => (e.args as ArgsOf<'evidence.add'>).certificate_id === id)) return false;
    if ((await entriesOfThing(db, laneName('certificate', id))).length > 0) return false;
    await db.certificates.delete(id);
    for (const table of [db.observations, db.decisions]) await table.where('certificate_id').equals(id).delete();
    return true;
  });
