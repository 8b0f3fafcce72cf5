import type { careCertificateEndpoints } from '#contract/api/care-certificates.ts';
import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import { existing } from '#server/db/rows.ts';
import { certificateOf, certificatePage, standardsOf } from '#server/features/care-certificates/certificates.rows.ts';
import { careCertificatesOf } from '#server/features/care-certificates/certificates.service.ts';
import { evidenceFileOf, keepPiece } from '#server/features/care-certificates/evidence.service.ts';
import { certificateQueued, evidenceQueued } from '#server/features/care-certificates/queued.ts';
import { requireActor } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const certificateHandlers = (services: Services): HandlersOf<typeof careCertificateEndpoints> => {
  const { db, now } = services;
  const [take, takeEvidence] = [certificateQueued(services), evidenceQueued(services)];
  const certificates = careCertificatesOf(services);
  const answer = async (result: Promise<CareCertificate>) => {
    const certificate = await result;
    return { data: certificate, headers: { ETag: `"${certificate.rev}"` } };
  };
  return {
    listCareCertificates: ({ query, actor }) => certificatePage(db, actor, query),
    getCareStandards: async ({ params }) => ({ data: existing(await standardsOf(db, params.id)) }),
    getCareCertificate: ({ params, actor }) => answer(certificateOf(db, actor, params.id)),
    assignCareCertificate: async ({ body, ...by }) => ({ data: await certificates.assign(by, body.user_id) }),
    reviewCareCertificate: async ({ params, actor }) => ({ data: await certificates.review(actor, params.id) }),
    approveCareCertificate: ({ params, body, ...by }) => answer(certificates.approve(by, params.id, body)),
    withdrawApproval: ({ params, body, ...by }) => answer(certificates.withdraw(by, params.id, body)),
    careCertificateFile: ({ params, actor }) => certificates.file(actor, params.id),
    addEvidencePiece: async ({ params, body, actor, request }) => {
      requireActor(request, actor);
      return { data: await keepPiece(db, actor, params.id, params.piece, body, now()) };
    },
    addEvidence: ({ params, body, actor, request, reply }) =>
      receive(services, { actor, request, reply }, body.changes, () => takeEvidence(actor, params.id, body.changes)),
    evidenceOfCertificate: async ({ params, actor }) => {
      const certificate = await certificateOf(db, actor, params.id);
      return evidenceFileOf(db, services.files, certificate.id, params.file, actor.user.time_zone);
    },
    updateCareCertificate: ({ params, body, actor, request, reply }) =>
      receive(services, { actor, request, reply }, body.changes, () => take(actor, params.id, body.changes)),
  };
};
