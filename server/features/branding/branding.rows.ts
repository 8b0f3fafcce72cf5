import { brandColours, type CertificateBranding, type OwnBranding, type Whitelabel } from '#contract/entities/whitelabel.ts';
import { defaultCertificate, defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';

/** URLs of the installed app's icon in the sizes that devices need. */
export type BrandIcons = { small: string; large: string; maskable: string };
/** The stored branding of an organisation: only the fields it has set. */
export type KeptBranding = OwnBranding & { icons?: BrandIcons };

type Row = { slug: string; subdomain: string | null; document: KeptBranding | null; certificate: Partial<CertificateBranding> | null };
export type Branding = {
  slug: string;
  whitelabel: Whitelabel;
  certificate: CertificateBranding;
  icons: BrandIcons | null;
  /** Null if the organisation has not set any field yet. */
  subdomain: string | null;
};

const defaultBranding = (): Branding => ({ slug: '', whitelabel: defaultWhitelabel, certificate: defaultCertificate, icons: null, subdomain: null });

const withBranding = (above: Branding, row: Row): Branding => {
  const { icons, ...own } = row.document ?? {};
  const colours = Object.fromEntries(brandColours.flatMap((c) => (own[c] ? [[c, own[c]]] : [])));
  const others = Object.fromEntries(Object.entries(own).filter(([field]) => !(brandColours as readonly string[]).includes(field)));
  return {
    ...{ slug: row.slug, subdomain: row.subdomain, icons: icons ?? above.icons },
    whitelabel: { ...above.whitelabel, ...others, slug: row.slug, colours: { ...above.whitelabel.colours, ...colours } },
    certificate: { ...above.certificate, ...row.certificate },
  };
};

/**
 * The branding of the organisation selected by this condition (on `entities e`, `whitelabels w`): for each field its own
 * value, otherwise that of the nearest organisation above, otherwise the default. Also returns the inherited branding and
 * the organisation's own values.
 */
export const brandingWhere = async (
  db: Db,
  where: Statement,
): Promise<{ whole: Branding; above: Branding; own: KeptBranding; ownCertificate: Partial<CertificateBranding> }> => {
  const rows = await db.all<Row>(sql`with recursive up as (
      select e.id, e.parent_id, 0 as depth from entities e left join whitelabels w on w.entity_id = e.id where ${where}
      union all select p.id, p.parent_id, depth + 1 from entities p join up on p.id = up.parent_id)
    select e.slug, w.subdomain, w.document, w.certificate from up join entities e on e.id = up.id left join whitelabels w on w.entity_id = up.id
    order by depth desc`);
  const ownRow = rows.at(-1);
  const above = rows.slice(0, -1).reduce(withBranding, defaultBranding());
  return { whole: ownRow ? withBranding(above, ownRow) : above, above, own: ownRow?.document ?? {}, ownCertificate: ownRow?.certificate ?? {} };
};

/** Selects the organisation of a subdomain: by its chosen subdomain, otherwise by its slug if no organisation has chosen that name. */
export const atSubdomain = (name: string): Statement =>
  sql`(w.subdomain = ${name} or (e.slug = ${name} and not exists (select 1 from whitelabels o where o.subdomain = ${name})))`;

/** The branding for somebody who named an organisation by its slug, otherwise by a subdomain; the default if neither matches. */
export const brandShown = async (db: Db, { slug, subdomain }: { slug?: string | undefined; subdomain?: string | undefined }): Promise<Branding> =>
  (await brandingWhere(db, slug ? sql`e.slug = ${slug}` : subdomain ? atSubdomain(subdomain) : sql`false`)).whole;
/** The branding of an organisation by its id. */
export const brandOf = async (db: Db, entityId: string): Promise<Branding> => (await brandingWhere(db, sql`e.id = ${entityId}`)).whole;
/** The branding for the person with this e-mail address, or the default. */
export const brandOfAddress = async (db: Db, email: string): Promise<Branding> =>
  (await brandingWhere(db, sql`e.id = (select primary_entity_id from users where lower(email) = ${email.toLowerCase()} limit 1)`)).whole;
