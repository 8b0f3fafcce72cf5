import type { CareCertificate, ObservationRecord } from '#contract/entities/care-certificate.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { certificateTables, takeCertificate } from '#src/offline/lanes/certificate-lane.ts';
import { entriesOfThing, laneName } from '#src/offline/lanes/lane-kind.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { NewEntry } from '#src/offline/ports.ts';
import type { DecisionRow, PersonDb } from '#src/offline/store/person-db.ts';

/** What an assessor does with a care certificate. Each resolves when it is saved on this tablet. */
type Assessor = { uuid: string; name: string };

/**
 * Records an observation, and what it decides for each criterion. The entry itself is always taken; each decision waits
 * in a lane of its own, because two assessors may decide differently.
 */
export const recordObservation = async (
  db: PersonDb,
  me: Assessor,
  certificate: { id: string; user: { name: string } },
  record: ObservationRecord,
): Promise<string> => {
  const id = newId();
  const at = correctedNow().toISOString();
  const by = { id: me.uuid, name: me.name };
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
        by,
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
      return entries;
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
          assessor: by,
          at,
          received_at: null,
        }),
        db.decisions.bulkPut(decisions),
      ]),
  );
  return id;
};

/** Corrects an entry by a new one, or withdraws it where there is no new record. The old one stays. */
export const amendObservation = async (
  db: PersonDb,
  me: Assessor,
  certificate: { id: string; user: { name: string } },
  about: string,
  reason: string,
  record: ObservationRecord | null,
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
      }),
  );
  return id;
};

/** Takes the server's copy of a certificate that was read online. */
export const noteServerCertificate = async (db: PersonDb, certificate: CareCertificate): Promise<void> => {
  await db.transaction('rw', [db.outbox, ...certificateTables(db)], async () =>
    takeCertificate(db, certificate, await entriesOfThing(db, laneName('certificate', certificate.id))),
  );
};
