import type { systemEndpoints } from '#contract/api/system.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { protocol } from '#contract/protocol.ts';
import { sql } from '#server/db/sql.ts';
import { ProductError } from '#server/http/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const systemHandlers = ({ db, now }: Services): HandlersOf<typeof systemEndpoints> => ({
  check: async () => {
    await db.one(sql`select 1 as ok`).catch(() => {
      throw new ProductError('unavailable', { headers: { 'Retry-After': '5' } });
    });
    return { data: { ok: true } };
  },
  version: async () => ({ data: protocol.version }),
  apiVersion: async () => ({ data: protocol.version }),
  time: async () => ({ data: { time: now().toISOString() } }),
  whitelabel: async ({ query }) => {
    const key = query.slug ?? query.subdomain;
    const column = query.slug ? sql`slug` : sql`w.subdomain`;
    // An organisation without a branding of its own wears its nearest parent's.
    const row = key
      ? await db.one<{ document: Whitelabel }>(sql`with recursive up as (
          select e.id, e.parent_id, 0 as depth from entities e left join whitelabels w on w.entity_id = e.id where ${column} = ${key}
          union all select p.id, p.parent_id, depth + 1 from entities p join up on p.id = up.parent_id)
        select w.document from up join whitelabels w on w.entity_id = up.id order by depth limit 1`)
      : undefined;
    return { data: { ...defaultWhitelabel, ...row?.document }, headers: { 'Cache-Control': 'no-cache' } };
  },
});
