import type { trainingCompanyEndpoints } from '#contract/api/training-companies.ts';
import { clientsOf } from '#server/features/training-companies/clients.service.ts';
import { companiesOf } from '#server/features/training-companies/companies.service.ts';
import { readForm } from '#server/http/multipart.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

const pictureBytes = 2_500_000;

export const companyHandlers = (services: Services): HandlersOf<typeof trainingCompanyEndpoints> => {
  const companies = companiesOf(services);
  const clients = clientsOf(services);
  return {
    companySettings: async ({ params, actor }) => ({ data: await companies.settings(actor, params.slug) }),
    updateCompanySettings: async ({ params, body: { rev, ...change }, ...by }) => ({ data: await companies.change(by, params.slug, change, rev) }),
    addCompanyLogo: async ({ params, actor, request }) => {
      const { files } = await readForm(request, ['logo'], pictureBytes);
      return { data: await companies.addLogo(actor, params.slug, files.logo) };
    },
    trainingClients: async ({ params, actor }) => ({ data: await clients.clients(actor, params.slug) }),
    inviteTrainingClient: async ({ params, body, ...by }) => ({ data: await clients.invite(by, params.slug, body) }),
    withdrawClientInvitation: ({ params, ...by }) => clients.withdraw(by, params.slug, params.invitation),
    endTrainingClient: ({ params, ...by }) => clients.endClient(by, params.slug, params.client),
    trainingProviders: async ({ params, actor }) => ({ data: await clients.providers(actor, params.slug) }),
    readProviderInvitation: async ({ params, body, actor }) => ({ data: await clients.readInvitation(actor, params.slug, body.code) }),
    acceptProviderInvitation: async ({ params, body, ...by }) => ({ data: await clients.accept(by, params.slug, body.code) }),
    endTrainingProvider: ({ params, ...by }) => clients.endProvider(by, params.slug, params.provider),
  };
};
