import { brandColours, type CertificateBranding, type OwnBranding, type Whitelabel } from '#contract/entities/whitelabel.ts';
import { defaultCertificate, defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';

/** The installed app's icon in the sizes that devices ask for: addresses of pictures. */
export type BrandIcons = { small: string; large: string; maskable: string };
/** What is kept of one organisation: only what it has chosen. */
export type KeptBranding = OwnBranding & { icons?: BrandIcons };

type Row = { slug: string; subdomain: string | null; document: KeptBranding | null; certificate: Partial<CertificateBranding> | null };
export type Branding = {
  slug: string;
  whitelabel: Whitelabel;
  certificate: CertificateBranding;
  icons: BrandIcons | null;
  /** Null where the organisation has none of its own yet. */
  subdomain: string | null;
};

const nothing = (): Branding => ({ slug: '', whitelabel: defaultWhitelabel, certificate: defaultCertificate, icons: null, subdomain: null });

const dressed = (above: Branding, row: Row): Branding => {
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
 * How the organisation of this condition (on `entities e`, `whitelabels w`) looks: for each field its own choice, else that
 * of the nearest organisation above it, else the default. With it what is above it, and its own choices alone.
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
  const own = rows.at(-1);
  const above = rows.slice(0, -1).reduce(dressed, nothing());
  return { whole: own ? dressed(above, own) : above, above, own: own?.document ?? {}, ownCertificate: own?.certificate ?? {} };
};

/** The organisation that a host's first name means: by the subdomain it has chosen, else by its slug where nobody has chosen that. */
export const atSubdomain = (name: string): Statement =>
  sql`(w.subdomain = ${name} or (e.slug = ${name} and not exists (select 1 from whitelabels o where o.subdomain = ${name})))`;

/** The branding of an organisation by its id. */
export const brandOf = async (db: Db, entityId: string): Promise<Branding> => (await brandingWhere(db, sql`e.id = ${entityId}`)).whole;
/** That of the people who are reached at this address; the defaults where nobody is. */
export const brandOfAddress = async (db: Db, email: string): Promise<Branding> =>
  (await brandingWhere(db, sql`e.id = (select primary_entity_id from users where lower(email) = ${email.toLowerCase()} limit 1)`)).whole;
