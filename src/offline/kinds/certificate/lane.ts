import type { CareCertificate, Signature, Supervision } from '#contract/entities/care-certificate.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { request } from '#src/api/transport.ts';
import type { LaneOf } from '#src/offline/kinds/lane.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

export const certificateTables = (db: PersonDb) => [db.certificates, db.observations, db.decisions];

type Change = Pick<Entry, 'id' | 'args' | 'actor' | 'at'>;
/** What a waiting entry will be once it is received. */
export const signatureOf = ({ id, args, actor, at }: Change, name: string): Signature => ({
  ...(args as ArgsOf<'observation.sign'>),
  ...{ id, by: { id: actor, name }, at },
});
export const supervisionOf = ({ id, args, actor, at }: Change, name: string): Supervision => ({
  ...(args as ArgsOf<'supervision.grant'>),
  ...{ id, by: { id: actor, name }, at },
});

/** Stores the server's copy of a certificate. Entries are append-only; unsent ones from this device are kept. */
export const takeCertificate = async (db: PersonDb, certificate: CareCertificate, left: readonly Entry[]): Promise<void> => {
  const { observations, decisions, ...header } = certificate;
  const deciding = new Set(left.filter((e) => e.command === 'observation.decide').map((e) => (e.args as ArgsOf<'observation.decide'>).criterion));
  const before = await db.certificates.get(certificate.id);
  // People who signed on this device are known by name from their signatures.
  const nameOf = (id: string) => [...(before?.signatures ?? []), ...(before?.supervision ?? [])].find((s) => s.by.id === id)?.by.name ?? '';
  const waiting = (command: Entry['command']) => left.filter((e) => e.command === command).map((e) => [e, nameOf(e.actor)] as const);
  const localRecords = {
    signatures: [...certificate.signatures, ...waiting('observation.sign').map(([e, name]) => signatureOf(e, name))],
    supervision: [...certificate.supervision, ...waiting('supervision.grant').map(([e, name]) => supervisionOf(e, name))],
  };
  await Promise.all([
    db.certificates.put({ ...header, ...localRecords }),
    db.observations.bulkPut(observations.map((o) => ({ ...o, certificate_id: certificate.id }))),
    db.decisions.bulkPut(decisions.filter((d) => !deciding.has(d.criterion)).map((d) => ({ ...d, certificate_id: certificate.id }))),
  ]);
};

export const certificateLane: LaneOf<'certificate'> = {
  atOnce: 200,
  send: (id, changes, headers) => request<CareCertificate>('PATCH', `/care-certificates/${id}`, { body: { changes }, compress: true, headers }),
  tables: certificateTables,
  take: takeCertificate,
};
