import type { Readable } from 'node:stream';
import type { bulkEventEndpoints } from '#contract/api/bulk-events.ts';
import { evidenceLimits } from '#contract/entities/bulk-event.ts';
import { bulkEventsOf } from '#server/features/users/bulk-events.service.ts';
import { keepEvidence } from '#server/features/users/evidence.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { wholeBody } from '#server/http/whole-body.ts';
import type { Services } from '#server/services.ts';

/** One completed event for many people: recorded, shown, undone. */
export const bulkEventHandlers = ({ db, files, now }: Services): HandlersOf<typeof bulkEventEndpoints> => {
  const events = bulkEventsOf({ db, files, now });
  return {
    uploadEvidence: async ({ query, actor, request }) => ({
      data: await keepEvidence(db, files, actor, await wholeBody(request.body as Readable, evidenceLimits.bytes), query.file_name, now()),
    }),
    bulkEvidence: ({ params, actor }) => events.evidence(actor, params.id),
    recordBulkEvent: ({ body, ...by }) => db.tx(async (tx) => ({ data: await events.record(tx, by, body) })),
    listBulkEvents: ({ query, actor }) => events.page(actor, query),
    getBulkEvent: async ({ params, actor }) => ({ data: await events.get(actor, params.id) }),
    undoBulkEvent: ({ params, ...by }) => db.tx(async (tx) => ({ data: await events.undo(tx, by, params.id) })),
  };
};
