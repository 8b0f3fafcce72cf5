import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Slug } from '#contract/entities/fields.ts';
import { CertificateBranding, OwnBranding, Whitelabel } from '#contract/entities/whitelabel.ts';

const changing = ['invalid_input', 'body_too_large', 'unsupported_media', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const one = z.object({ slug: Slug });
/** Three pictures and some words. */
const form = { types: ['multipart/form-data'], limitBytes: 8_000_000 } as const;

export const updateWhitelabel = endpoint({
  id: 'updateWhitelabel',
  method: 'POST',
  path: '/entities/{slug}/whitelabel',
  summary:
    'Changes the branding of an organisation: a multipart form with _method=PATCH, a part for each field that changes (empty: as above it), and files for logo, loginLogo and favicon.',
  params: one,
  upload: form,
  response: Whitelabel,
  errors: changing,
  access: ['entity.whitelabel'],
  offline: 'online-only',
});
export const ownBranding = endpoint({
  id: 'ownBranding',
  method: 'GET',
  path: '/entities/{slug}/whitelabel',
  ours: true,
  summary: 'What an organisation has chosen itself of its branding, and what it has from above where it chooses nothing.',
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
  summary: 'A picture of somebody’s branding.',
  params: z.object({ name: z.string().check(z.regex(/^[0-9a-f]{64}\.png$/, 'This is not a picture.')) }),
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
  summary: 'What an organisation’s certificates say beside their facts: its own choices, and those above it.',
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
  summary: 'Changes what certificates say: a multipart form with _method=PATCH, as for the branding; signature is a file.',
  params: one,
  upload: form,
  response: CertificateBranding,
  errors: changing,
  access: ['entity.whitelabel'],
  offline: 'online-only',
});
export const certificateExample = endpoint({
  id: 'certificateExample',
  method: 'POST',
  path: '/entities/{slug}/certificate-branding/example',
  ours: true,
  summary: 'A certificate as it would be with these choices, for a person and a course that do not exist. Nothing is kept.',
  params: one,
  upload: form,
  file: 'application/pdf',
  errors: changing,
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
