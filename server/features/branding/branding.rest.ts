import type * as z from 'zod/mini';
import { addMonths } from '#contract/rules/days.ts';
import type { brandingEndpoints } from '#contract/api/branding.ts';
import {
  type BrandPicture,
  brandPictures,
  type CertificateBranding,
  CertificateInput,
  certificateSwitches,
  WhitelabelInput,
  whitelabelNumbers,
} from '#contract/entities/whitelabel.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { noteChange } from '#server/note-change.ts';
import { brandingWhere, type KeptBranding } from '#server/features/branding/branding.rows.ts';
import { createPictures, type DrawnPicture } from '#server/features/branding/pictures.service.ts';
import { entityAt } from '#server/db/seen.ts';
import { certificatePdf } from '#server/features/learning/certificate-pdf.service.ts';
import { type Form, readForm } from '#server/http/multipart.ts';
import { invalid } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/actor.ts';
import { read } from '#server/validation.ts';
import type { Services } from '#server/services.ts';

const pictureBytes = 2_500_000;

/** Parses the form: values validated by the schema, and the fields to inherit again. */
const readChoices = <S extends z.ZodMiniType>(
  schema: S,
  { fields }: Form,
  pictures: readonly string[],
  typed: (field: string, text: string) => unknown,
) => {
  const given = Object.entries(fields).filter(([field]) => !pictures.includes(field));
  const chosen = Object.fromEntries(given.filter(([, text]) => text.trim() !== '').map(([field, text]) => [field, typed(field, text)]));
  const emptied = Object.entries(fields).flatMap(([field, text]) => (text.trim() === '' ? [field] : []));
  for (const [field] of given) if (!(field in (schema as unknown as { shape: object }).shape)) throw invalid(field, 'This field does not exist.');
  return { chosen: read(schema, chosen) as z.output<S>, emptied };
};
const without = <T extends object>(all: T, gone: readonly string[]): T =>
  Object.fromEntries(Object.entries(all).filter(([field]) => !gone.includes(field))) as T;

/** Branding: how organisations look and the terms they use. */
export const brandingHandlers = ({ db, files, now }: Services): HandlersOf<typeof brandingEndpoints> => {
  const pictures = createPictures(files);
  const visible = async (on: Db, actor: Actor, slug: string) => {
    const entity = await entityAt(on, actor, slug);
    return { ...entity, ...(await brandingWhere(on, sql`e.id = ${entity.id}`)) };
  };
  /** The green margin must be above the amber margin, whether set or inherited. */
  const checkMargins = ({ whole }: { whole: { whitelabel: { greenScoreBandLowerMargin: number; amberScoreBandLowerMargin: number } } }) => {
    const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = whole.whitelabel;
    if (green <= amber) throw invalid('greenScoreBandLowerMargin', `Green must start above amber (${amber} %).`);
  };
  const certificateChoices = (form: Form) =>
    readChoices(CertificateInput, form, ['signature'], (field, text) => ((certificateSwitches as string[]).includes(field) ? text === 'true' : text));

  return {
    ownBranding: async ({ params, actor }) => {
      const { own, above } = await visible(db, actor, params.slug);
      const { icons: _icons, ...chosen } = own;
      return { data: { own: chosen, above: above.whitelabel } };
    },
    updateWhitelabel: async ({ params, actor, request }) => {
      const form = await readForm(request, brandPictures, pictureBytes);
      const { chosen, emptied } = readChoices(WhitelabelInput, form, brandPictures, (field, text) =>
        (whitelabelNumbers as readonly string[]).includes(field) ? Number(text) : text,
      );
      for (const picture of brandPictures) if (form.fields[picture]) throw invalid(picture, 'Send a file, or leave it empty to inherit the picture.');
      const { whole } = await visible(db, actor, params.slug);
      const drawn: Partial<Record<BrandPicture, DrawnPicture>> = {};
      for (const picture of brandPictures) {
        const bytes = form.files[picture];
        if (bytes) drawn[picture] = await pictures.draw(picture, bytes);
      }
      const icons = drawn.favicon && (await pictures.drawIcons(drawn.favicon, chosen.secondary ?? whole.whitelabel.colours.secondary));
      return db.tx(async (tx) => {
        const entity = await visible(tx, actor, params.slug);
        const kept: KeptBranding = { ...without(entity.own, emptied), ...chosen };
        if (emptied.includes('favicon')) delete kept.icons;
        for (const picture of brandPictures) {
          const of = drawn[picture];
          if (of) kept[picture] = await pictures.keep(tx, of);
        }
        if (icons) kept.icons = await pictures.keepIcons(tx, icons);
        await tx.run(sql`insert into whitelabels (entity_id, document, updated_at) values (${entity.id}, ${JSON.stringify(kept)}, ${now()})
          on conflict (entity_id) do update set document = excluded.document, updated_at = excluded.updated_at`);
        const after = await brandingWhere(tx, sql`e.id = ${entity.id}`);
        checkMargins(after);
        const told = ({ icons: _icons, ...choices }: KeptBranding) => choices;
        await noteChange(tx, { actor, request }, now(), {
          ...{ entityId: entity.id, action: 'updated', subject: { kind: 'branding', id: entity.id, name: entity.name } },
          ...{ before: told(entity.own), after: told(kept) },
        });
        return { data: after.whole.whitelabel };
      });
    },
    brandPicture: async ({ params }) => {
      const hash = params.name.slice(0, 64);
      existing(await db.one(sql`select 1 as one from brand_pictures where hash = ${hash}`));
      return {
        file: files.read(hash),
        type: 'image/png',
        headers: { 'Cache-Control': 'public, max-age=31536000, immutable', 'Content-Security-Policy': "default-src 'none'; sandbox" },
      };
    },
    certificateBranding: async ({ params, actor }) => {
      const { ownCertificate, above } = await visible(db, actor, params.slug);
      return { data: { own: ownCertificate, above: above.certificate } };
    },
    updateCertificateBranding: async ({ params, actor, request }) => {
      const form = await readForm(request, ['signature'], pictureBytes);
      const { chosen, emptied } = certificateChoices(form);
      if (form.fields.signature) throw invalid('signature', 'Send a file, or leave it empty to inherit the picture.');
      await visible(db, actor, params.slug);
      const signature = form.files.signature && (await pictures.draw('signature', form.files.signature));
      return db.tx(async (tx) => {
        const entity = await visible(tx, actor, params.slug);
        const kept: Partial<CertificateBranding> = { ...without(entity.ownCertificate, emptied), ...chosen };
        if (signature) kept.signature = await pictures.keep(tx, signature);
        await tx.run(sql`insert into whitelabels (entity_id, document, certificate, updated_at) values (${entity.id}, '{}', ${JSON.stringify(kept)}, ${now()})
          on conflict (entity_id) do update set certificate = excluded.certificate, updated_at = excluded.updated_at`);
        await noteChange(tx, { actor, request }, now(), {
          ...{ entityId: entity.id, action: 'updated', subject: { kind: 'branding', id: entity.id, name: `${entity.name}: certificates` } },
          ...{ before: entity.ownCertificate, after: kept },
        });
        return { data: (await brandingWhere(tx, sql`e.id = ${entity.id}`)).whole.certificate };
      });
    },
    certificateExample: async ({ params, actor, request }) => {
      const form = await readForm(request, ['signature'], pictureBytes);
      const { chosen, emptied } = certificateChoices(form);
      const { name, whole, above, ownCertificate } = await visible(db, actor, params.slug);
      const wording = { ...above.certificate, ...without(ownCertificate, emptied), ...chosen };
      const today = now();
      const file = await certificatePdf({
        ...{ name: 'Sam Example', course: 'Moving and handling', organisation: name, score: 92, number: 'EXAMPLE' },
        completedAt: today.toISOString(),
        expiresAt: addMonths(today.toISOString(), 12, actor.user.time_zone),
        zone: actor.user.time_zone,
        ...{ brand: whole.whitelabel, wording, logo: await pictures.bytesOf(whole.whitelabel.logo) },
        signature: form.files.signature ? await pictures.reencoded('signature', form.files.signature) : await pictures.bytesOf(wording.signature),
      });
      return { file, type: 'application/pdf' };
    },
  };
};
