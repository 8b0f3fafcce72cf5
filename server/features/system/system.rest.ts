import type { systemEndpoints } from '#contract/api/system.ts';
import { protocol } from '#contract/protocol.ts';
import { sql } from '#server/db/sql.ts';
import { atSubdomain, brandingWhere } from '#server/features/branding/branding.rows.ts';
import { ProductError } from '#server/product-error.ts';
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
    const { whole } = await brandingWhere(db, query.slug ? sql`e.slug = ${query.slug}` : query.subdomain ? atSubdomain(query.subdomain) : sql`false`);
    return { data: whole.whitelabel, headers: { 'Cache-Control': 'no-cache' } };
  },
});
