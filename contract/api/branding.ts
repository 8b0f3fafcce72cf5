import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Slug } from '#contract/entities/fields.ts';
import { CertificateBranding, OwnBranding, Whitelabel } from '#contract/entities/whitelabel.ts';

const writeErrors = ['invalid_input', 'body_too_large', 'unsupported_media', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const one = z.object({ slug: Slug });
/** Room for three pictures and the text fields. */
const form = { types: ['multipart/form-data'], limitBytes: 8_000_000 } as const;

export const updateWhitelabel = endpoint({
  id: 'updateWhitelabel',
  method: 'POST',
  path: '/entities/{slug}/whitelabel',
  summary:
    'Changes the branding of an organisation. Send a multipart form with _method=PATCH, a part for each changed field (empty to inherit), and files for logo, loginLogo and favicon.',
  params: one,
  upload: form,
  response: Whitelabel,
  errors: writeErrors,
  access: ['entity.whitelabel'],
  offline: 'online-only',
});
export const ownBranding = endpoint({
  id: 'ownBranding',
  method: 'GET',
  path: '/entities/{slug}/whitelabel',
  ours: true,
  summary: 'Returns an organisation’s own branding choices, and the inherited branding for the fields it has not set.',
  params: one,
  response: z.object({ own: OwnBranding, above: Whitelabel }),
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['entity.whitelabel'],
  offline: 'online-only',
});
export const brandPicture = endpoint({
  id: 'brandPicture',
  method: 'GET',
  path: '/whitelabel/pictures/{name}',
  ours: true,
  summary: 'Returns a picture used in a branding.',
  params: z.object({ name: z.string().check(z.regex(/^[0-9a-f]{64}\.png$/, 'This is not a valid picture name.')) }),
  file: 'image/png',
  errors: ['not_found'],
  access: 'public',
  duringPasswordChange: true,
  offline: 'cached',
});
export const certificateBranding = endpoint({
  id: 'certificateBranding',
  method: 'GET',
  path: '/entities/{slug}/certificate-branding',
  ours: true,
  summary: 'Returns the configurable texts of an organisation’s certificates: its own choices and the inherited ones.',
  params: one,
  response: z.object({ own: z.partial(CertificateBranding), above: CertificateBranding }),
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['entity.whitelabel'],
  offline: 'online-only',
});
export const updateCertificateBranding = endpoint({
  id: 'updateCertificateBranding',
  method: 'POST',
  path: '/entities/{slug}/certificate-branding',
  ours: true,
  summary: 'Changes the configurable texts of certificates. Send a multipart form with _method=PATCH, as for the branding; signature is a file.',
  params: one,
  upload: form,
  response: CertificateBranding,
  errors: writeErrors,
  access: ['entity.whitelabel'],
  offline: 'online-only',
});
export const certificateExample = endpoint({
  id: 'certificateExample',
  method: 'POST',
  path: '/entities/{slug}/certificate-branding/example',
  ours: true,
  summary: 'Returns an example certificate with these choices, for a fictitious person and course. Nothing is saved.',
  params: one,
  upload: form,
  file: 'application/pdf',
  errors: writeErrors,
  access: ['entity.whitelabel'],
  offline: 'online-only',
});

export const brandingEndpoints = [
  updateWhitelabel,
  ownBranding,
  brandPicture,
  certificateBranding,
  updateCertificateBranding,
  certificateExample,
] as const;
