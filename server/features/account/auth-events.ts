import type { FastifyRequest } from 'fastify';
import type { AuthEventKind, AuthWay } from '#contract/entities/sign-in.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { deviceName } from '#server/features/account/device-name.ts';

/** Records account activity with its browser and network address. */
export const noteAuthEvent = (
  on: Db,
  event: { userId: string; kind: AuthEventKind; way: AuthWay; at: Date; request: Pick<FastifyRequest, 'ip' | 'headers'>; device?: string },
): Promise<number> =>
  on.run(sql`insert into auth_events (user_id, at, kind, way, device, address)
    values (${event.userId}, ${event.at}, ${event.kind}, ${event.way}, ${event.device ?? deviceName(event.request.headers['user-agent'])}, ${event.request.ip})`);
