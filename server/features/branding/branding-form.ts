import type { FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import {
  type BrandPicture,
  brandPictures,
  CertificateInput,
  certificateSwitches,
  WhitelabelInput,
  whitelabelNumbers,
} from '#contract/entities/whitelabel.ts';
import type { BrandChange } from '#server/features/branding/branding.service.ts';
import { readForm } from '#server/http/multipart.ts';
import { invalid } from '#server/product-error.ts';
import { read } from '#server/validation.ts';

const pictureBytes = 2_500_000;

/** Reads a form: the values that the schema accepts, the fields to inherit again, and the pictures. */
const readChange = async <S extends z.ZodMiniType, P extends string>(
  request: FastifyRequest,
  schema: S,
  pictures: readonly P[],
  typed: (field: string, text: string) => unknown,
): Promise<BrandChange<z.output<S>, P>> => {
  const { fields, files } = await readForm(request, pictures, pictureBytes);
  const textFields = Object.entries(fields).filter(([field]) => !(pictures as readonly string[]).includes(field));
  const chosen = Object.fromEntries(textFields.filter(([, text]) => text.trim() !== '').map(([field, text]) => [field, typed(field, text)]));
  const emptied = Object.entries(fields).flatMap(([field, text]) => (text.trim() === '' ? [field] : []));
  for (const [field] of textFields)
    if (!(field in (schema as unknown as { shape: object }).shape)) throw invalid(field, 'This field does not exist.');
  const change = { chosen: read(schema, chosen) as z.output<S>, emptied, pictures: files as Partial<Record<P, Buffer>> };
  for (const picture of pictures) if (fields[picture]) throw invalid(picture, 'Send a file, or leave it empty to inherit the picture.');
  return change;
};

export const readWhitelabel = (request: FastifyRequest): Promise<BrandChange<z.output<typeof WhitelabelInput>, BrandPicture>> =>
  readChange(request, WhitelabelInput, brandPictures, (field, text) =>
    (whitelabelNumbers as readonly string[]).includes(field) ? Number(text) : text,
  );

export const readCertificate = (request: FastifyRequest): Promise<BrandChange<z.output<typeof CertificateInput>, 'signature'>> =>
  readChange(request, CertificateInput, ['signature'], (field, text) => ((certificateSwitches as string[]).includes(field) ? text === 'true' : text));
