import type { Readable } from 'node:stream';
import type { bulkEventEndpoints } from '#contract/api/bulk-events.ts';
import { type BulkEvent, evidenceLimits } from '#contract/entities/bulk-event.ts';
import { sql } from '#server/db/sql.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { bulkEventsOf, columns, source } from '#server/features/users/bulk-events.service.ts';
import { evidenceFile, keepEvidence } from '#server/features/users/evidence.service.ts';
import { contains, orderBy, pageOf } from '#server/db/rows.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { wholeBody } from '#server/http/whole-body.ts';
import type { Services } from '#server/services.ts';

/** One completed event for many people: recorded, looked at, taken back. */
export const bulkEventHandlers = ({ db, files, now }: Services): HandlersOf<typeof bulkEventEndpoints> => {
  const events = bulkEventsOf({ now });
  return {
    uploadEvidence: async ({ query, actor, request }) => ({
      data: await keepEvidence(db, files, actor, await wholeBody(request.body as Readable, evidenceLimits.bytes), query.file_name, now()),
    }),
    bulkEvidence: async ({ params, actor }) => {
      const { evidence } = await events.found(db, actor, params.id);
      return evidenceFile(db, files, sql`v.id = ${evidence?.id ?? null}`);
    },
    recordBulkEvent: ({ body, ...by }) => db.tx(async (tx) => ({ data: await events.record(tx, by, body) })),
    listBulkEvents: async ({ query, actor }) => {
      const where = sql`${visibleEntity(actor)} and ${contains([sql`k.title`, sql`a.name`], query.search)}`;
      const order = orderBy(
        query.sort ?? '-created_at',
        { created_at: sql`b.created_at`, completed_on: sql`b.completed_on`, course: sql`k.title` },
        sql`b.id`,
      );
      return pageOf<BulkEvent>(db, '/users/bulk-add-events', query, { columns, from: source, where, order });
    },
    getBulkEvent: async ({ params, actor }) => ({ data: await events.whole(db, actor, params.id) }),
    undoBulkEvent: ({ params, ...by }) => db.tx(async (tx) => ({ data: await events.undo(tx, by, params.id) })),
  };
};
