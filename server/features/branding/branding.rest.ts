import type { brandingEndpoints } from '#contract/api/branding.ts';
import { brandingOf } from '#server/features/branding/branding.service.ts';
import { readCertificate, readWhitelabel } from '#server/features/branding/branding-form.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

/** A picture never changes, and must not run scripts when it is opened on its own. */
const pictureHeaders = { 'Cache-Control': 'public, max-age=31536000, immutable', 'Content-Security-Policy': "default-src 'none'; sandbox" };

export const brandingHandlers = (services: Services): HandlersOf<typeof brandingEndpoints> => {
  const branding = brandingOf(services);
  return {
    ownBranding: async ({ params, actor }) => ({ data: await branding.own(actor, params.slug) }),
    updateWhitelabel: async ({ params, ...by }) => ({ data: await branding.change(by, params.slug, await readWhitelabel(by.request)) }),
    brandPicture: async ({ params }) => ({ file: await branding.picture(params.name), type: 'image/png', headers: pictureHeaders }),
    certificateBranding: async ({ params, actor }) => ({ data: await branding.ownCertificate(actor, params.slug) }),
    updateCertificateBranding: async ({ params, ...by }) => ({
      data: await branding.changeCertificate(by, params.slug, await readCertificate(by.request)),
    }),
    certificateExample: async ({ params, actor, request }) => ({
      file: await branding.certificateExample(actor, params.slug, await readCertificate(request)),
      type: 'application/pdf',
    }),
  };
};
