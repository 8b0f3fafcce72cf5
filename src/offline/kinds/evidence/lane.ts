import type { ArgsOf } from '#contract/kinds.ts';
import type { EvidenceFile } from '#contract/entities/care-evidence.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { type Result, request } from '#src/api/transport.ts';
import type { LaneOf, Partied, Sent } from '#src/offline/kinds/lane.ts';

/** Letters of base64 that one piece is. */
const pieceLetters = (evidenceLimits.pieceBytes / 3) * 4;

/** After so long the rest of a file waits for its next turn: nothing that somebody writes meanwhile waits for all of it. */
const turnMs = 5000;

/**
 * Files of records, a lane each. The server says which pieces it has not got; those go one by one, and each that got through
 * stays: a line that is cut again and again brings a file over in the end.
 */
export const evidenceLane: LaneOf<'evidence'> = {
  atOnce: 1,
  heavy: true,
  send: async (id, changes, headers): Promise<Result<EvidenceFile> & Partied> => {
    const began = Date.now();
    let gotOn = false;
    const [change] = changes as [Sent];
    const { data = '', ...said } = change.args as ArgsOf<'evidence.add'>;
    const add = () => request<EvidenceFile>('PATCH', `/care-evidence/${id}`, { body: { changes: [{ ...change, args: said }] }, headers });
    const first = await add();
    if (first.kind !== 'ok' || first.data.missing.length === 0) return first;
    for (const piece of first.data.missing) {
      const body = { certificate_id: said.certificate_id, bytes: said.bytes, data: data.slice(piece * pieceLetters, (piece + 1) * pieceLetters) };
      const sent = await request<EvidenceFile>('POST', `/care-evidence/${id}/pieces/${piece}`, { body, compress: true, headers });
      if (sent.kind !== 'ok') return { ...sent, gotOn };
      gotOn = true;
      if (Date.now() - began > turnMs && sent.data.missing.length > 0) return { ...first, data: sent.data, more: true };
    }
    return { ...(await add()), gotOn };
  },
  tables: (db) => [db.certificates],
  take: async (db, file) => {
    const certificate = await db.certificates.get(file.certificate_id);
    if (!certificate) return;
    const evidence = [...(certificate.evidence ?? []).filter((f) => f.id !== file.id), file];
    await db.certificates.put({ ...certificate, evidence });
  },
};
