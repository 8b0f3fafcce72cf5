import type { ArgsOf } from '#contract/kinds.ts';
import type { Submission } from '#contract/entities/submission.ts';
import { request } from '#src/api/transport.ts';
import type { LaneOf, Sent } from '#src/offline/kinds/lane.ts';
import { sendInPieces } from '#src/offline/kinds/pieces.ts';

/** Certificates from elsewhere, one lane each: the submission with its file, then its withdrawal. */
export const submissionLane: LaneOf<'submission'> = {
  atOnce: 1,
  heavy: true,
  send: (id, changes, headers) => {
    const [change] = changes as [Sent];
    const path = `/submissions/${id}`;
    if (change.command !== 'submission.add') return request<Submission>('PATCH', path, { body: { changes: [change] }, headers });
    const { data = '', ...args } = change.args as ArgsOf<'submission.add'>;
    return sendInPieces(path, { ...change, args }, { data, about: { bytes: args.file.bytes } }, headers);
  },
  tables: (db) => [db.submissions],
  take: async (db, { id, status }) => {
    if (status === 'deleted') await db.submissions.delete(id);
    else await db.submissions.update(id, { status });
  },
};
