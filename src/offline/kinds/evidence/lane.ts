import type { ArgsOf } from '#contract/kinds.ts';
import type { LaneOf, Sent } from '#src/offline/kinds/lane.ts';
import { sendInPieces } from '#src/offline/kinds/pieces.ts';

/** Evidence files, one lane each. */
export const evidenceLane: LaneOf<'evidence'> = {
  atOnce: 1,
  heavy: true,
  send: (id, changes, headers) => {
    const [change] = changes as [Sent];
    const { data = '', ...args } = change.args as ArgsOf<'evidence.add'>;
    const about = { certificate_id: args.certificate_id, bytes: args.bytes };
    return sendInPieces(`/care-evidence/${id}`, { ...change, args }, { data, about }, headers);
  },
  tables: (db) => [db.certificates],
  take: async (db, file) => {
    const certificate = await db.certificates.get(file.certificate_id);
    if (!certificate) return;
    const evidence = [...(certificate.evidence ?? []).filter((f) => f.id !== file.id), file];
    await db.certificates.put({ ...certificate, evidence });
  },
};
