import type * as z from 'zod/mini';
import {
  type BrandPicture,
  brandPictures,
  type CertificateBranding,
  type CertificateInput,
  type OwnBranding,
  type WhitelabelInput,
} from '#contract/entities/whitelabel.ts';
import { addMonths } from '#contract/rules/days.ts';
import type { Actor } from '#server/actor.ts';
import { existing } from '#server/db/rows.ts';
import { entityAt } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { type Branding, brandingWhere, type KeptBranding } from '#server/features/branding/branding.rows.ts';
import { createPictures, type DrawnPicture } from '#server/features/branding/pictures.service.ts';
import { certificatePdf, verifyAddress } from '#server/features/results/certificate-pdf.service.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** The branding fields that an organisation sets, those it inherits again, and its new pictures. */
export type BrandChange<T, P extends string> = { chosen: T; emptied: readonly string[]; pictures: Partial<Record<P, Buffer>> };
type WhitelabelChange = BrandChange<z.output<typeof WhitelabelInput>, BrandPicture>;
type CertificateChange = BrandChange<z.output<typeof CertificateInput>, 'signature'>;

const without = <T extends object>(all: T, fields: readonly string[]): T =>
  Object.fromEntries(Object.entries(all).filter(([field]) => !fields.includes(field))) as T;
/** The pictures that an organisation uploads; its icons are derived from them. */
const choicesOf = ({ icons: _icons, ...choices }: KeptBranding): OwnBranding => choices;

/** Branding: how organisations look and the terms they use. */
export const brandingOf = ({ db, files, now, config }: Pick<Services, 'db' | 'files' | 'now' | 'config'>) => {
  const pictures = createPictures(files);
  const visible = async (on: Db, actor: Actor, slug: string) => {
    const entity = await entityAt(on, actor, slug);
    return { ...entity, ...(await brandingWhere(on, sql`e.id = ${entity.id}`)) };
  };
  /** The green margin must be above the amber margin, whether set or inherited. */
  const checkMargins = ({ whitelabel }: Branding) => {
    const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = whitelabel;
    if (green <= amber) throw invalid('greenScoreBandLowerMargin', `Green must start above amber (${amber} %).`);
  };

  return {
    own: async (actor: Actor, slug: string) => {
      const { own, above } = await visible(db, actor, slug);
      return { own: choicesOf(own), above: above.whitelabel };
    },
    change: async (by: By, slug: string, { chosen, emptied, pictures: sent }: WhitelabelChange) => {
      const { whole } = await visible(db, by.actor, slug);
      const drawn: Partial<Record<BrandPicture, DrawnPicture>> = {};
      for (const picture of brandPictures) {
        const bytes = sent[picture];
        if (bytes) drawn[picture] = await pictures.draw(picture, bytes);
      }
      const icons = drawn.favicon && (await pictures.drawIcons(drawn.favicon, chosen.secondary ?? whole.whitelabel.colours.secondary));
      return db.tx(async (tx) => {
        const entity = await visible(tx, by.actor, slug);
        const stored: KeptBranding = { ...without(entity.own, emptied), ...chosen };
        if (emptied.includes('favicon')) delete stored.icons;
        for (const picture of brandPictures) {
          const picturesOfField = drawn[picture];
          if (picturesOfField) stored[picture] = await pictures.keep(tx, picturesOfField);
        }
        if (icons) stored.icons = await pictures.keepIcons(tx, icons);
        await tx.run(sql`insert into whitelabels (entity_id, document, updated_at) values (${entity.id}, ${JSON.stringify(stored)}, ${now()})
          on conflict (entity_id) do update set document = excluded.document, updated_at = excluded.updated_at`);
        const after = await brandingWhere(tx, sql`e.id = ${entity.id}`);
        checkMargins(after.whole);
        await noteChange(tx, by, now(), {
          ...{ entityId: entity.id, action: 'updated', subject: { kind: 'branding', id: entity.id, name: entity.name } },
          ...{ before: choicesOf(entity.own), after: choicesOf(stored) },
        });
        return after.whole.whitelabel;
      });
    },
    /** The bytes of a picture by its name, which contains their hash. */
    picture: async (name: string) => {
      const hash = name.slice(0, 64);
      existing(await db.one(sql`select 1 as one from brand_pictures where hash = ${hash}`));
      return files.read(hash);
    },
    ownCertificate: async (actor: Actor, slug: string) => {
      const { ownCertificate, above } = await visible(db, actor, slug);
      return { own: ownCertificate, above: above.certificate };
    },
    changeCertificate: async (by: By, slug: string, { chosen, emptied, pictures: { signature: sent } }: CertificateChange) => {
      await visible(db, by.actor, slug);
      const signature = sent && (await pictures.draw('signature', sent));
      return db.tx(async (tx) => {
        const entity = await visible(tx, by.actor, slug);
        const stored: Partial<CertificateBranding> = { ...without(entity.ownCertificate, emptied), ...chosen };
        if (signature) stored.signature = await pictures.keep(tx, signature);
        await tx.run(sql`insert into whitelabels (entity_id, document, certificate, updated_at) values (${entity.id}, '{}', ${JSON.stringify(stored)}, ${now()})
          on conflict (entity_id) do update set certificate = excluded.certificate, updated_at = excluded.updated_at`);
        await noteChange(tx, by, now(), {
          ...{ entityId: entity.id, action: 'updated', subject: { kind: 'branding', id: entity.id, name: `${entity.name}: certificates` } },
          ...{ before: entity.ownCertificate, after: stored },
        });
        return (await brandingWhere(tx, sql`e.id = ${entity.id}`)).whole.certificate;
      });
    },
    /** A preview of a certificate (PDF) with a change that is not saved yet. */
    certificateExample: async (actor: Actor, slug: string, { chosen, emptied, pictures: { signature } }: CertificateChange) => {
      const { name, whole, above, ownCertificate } = await visible(db, actor, slug);
      const wording = { ...above.certificate, ...without(ownCertificate, emptied), ...chosen };
      const today = now().toISOString();
      const zone = actor.user.time_zone;
      return certificatePdf({
        ...{
          name: 'Sam Example',
          course: 'Moving and handling',
          score: 92,
          number: 'EXAMPLE',
          completedAt: today,
          expiresAt: addMonths(today, 12, zone),
        },
        look: {
          ...{ organisation: name, zone, verifyAt: verifyAddress(config), brand: whole.whitelabel, wording },
          logo: await pictures.bytesOf(whole.whitelabel.logo),
          signature: signature ? await pictures.reencoded('signature', signature) : await pictures.bytesOf(wording.signature),
        },
      });
    },
  };
};
