import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type { ArgsOf } from '#contract/commands/commands.ts';
import { request } from '#src/api/transport.ts';
import type { LaneKind } from '#src/offline/lanes/lane-kind.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

export const certificateTables = (db: PersonDb) => [db.certificates, db.observations, db.decisions];

/** Takes the server's copy of a certificate. Entries are only added; a decision that still waits stays. */
export const takeCertificate = async (db: PersonDb, certificate: CareCertificate, left: readonly Entry[]): Promise<void> => {
  const { observations, decisions, ...header } = certificate;
  const deciding = new Set(left.filter((e) => e.command === 'observation.decide').map((e) => (e.args as ArgsOf<'observation.decide'>).criterion));
  await Promise.all([
    db.certificates.put(header),
    db.observations.bulkPut(observations.map((o) => ({ ...o, certificate_id: certificate.id }))),
    db.decisions.bulkPut(decisions.filter((d) => !deciding.has(d.criterion)).map((d) => ({ ...d, certificate_id: certificate.id }))),
  ]);
};

export const certificateLane: LaneKind<CareCertificate> = {
  atOnce: 200,
  send: (id, changes, headers) => request<CareCertificate>('PATCH', `/care-certificates/${id}`, { body: { changes }, compress: true, headers }),
  tables: certificateTables,
  take: takeCertificate,
};
