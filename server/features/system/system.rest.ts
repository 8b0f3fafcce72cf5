import type { systemEndpoints } from '#contract/api/system.ts';
import { protocol } from '#contract/protocol.ts';
import { brandShown } from '#server/features/branding/branding.rows.ts';
import { checkReady } from '#server/features/system/system.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const systemHandlers = ({ db, now }: Services): HandlersOf<typeof systemEndpoints> => ({
  check: async () => {
    await checkReady(db);
    return { data: { ok: true } };
  },
  version: async () => ({ data: protocol.version }),
  apiVersion: async () => ({ data: protocol.version }),
  time: async () => ({ data: { time: now().toISOString() } }),
  whitelabel: async ({ query }) => ({ data: (await brandShown(db, query)).whitelabel, headers: { 'Cache-Control': 'no-cache' } }),
});
