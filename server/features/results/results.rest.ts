import type { resultEndpoints } from '#contract/api/results.ts';
import { certificatesOf } from '#server/features/results/certificates.service.ts';
import { manyCertificatesOf } from '#server/features/results/many-certificates.service.ts';
import { resultsOf } from '#server/features/results/results.service.ts';
import { walletCardsOf } from '#server/features/results/wallet-cards.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const resultHandlers = (services: Services): HandlersOf<typeof resultEndpoints> => {
  const results = resultsOf(services);
  const certificates = certificatesOf(services);
  const many = manyCertificatesOf(services);
  const cards = walletCardsOf(services);
  return {
    trainingRecords: async ({ params, actor }) => ({ text: await results.ofPerson(actor, params.id) }),
    listResults: ({ query, actor }) => results.list(actor, query),
    getResult: async ({ params, actor }) => ({ data: await results.get(actor, params.id) }),
    createResults: async ({ body, ...by }) => ({ data: await results.create(by, body) }),
    correctResult: async ({ params, body, ...by }) => ({ data: await results.correct(by, params.id, body) }),
    deleteTrainingRecord: async ({ params, body, ...by }) => ({ data: await results.remove(by, params.id, body.reason) }),
    restoreResult: async ({ params, body, ...by }) => ({ data: await results.restore(by, params.id, body.reason) }),
    decideResults: async ({ body, ...by }) => ({ data: await results.decide(by, body) }),
    resultCertificate: ({ params, actor }) => certificates.one(actor, params.id),
    downloadCertificates: ({ body, actor }) => many.download(actor, body),
    verifyCertificate: async ({ params, request }) => ({ data: await certificates.verify(params.number, request.ip) }),
    resultEvidence: ({ params, actor }) => certificates.evidence(actor, params.id),
    walletCard: ({ params, actor }) => cards.ofPerson(actor, params.id),
    walletCards: ({ body, actor }) => cards.ofPeople(actor, body.user_ids),
    trainingCertificate: ({ params, actor }) => certificates.transcript(actor, params.id),
  };
};
