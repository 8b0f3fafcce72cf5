import type { ArgsOf } from '#contract/kinds.ts';
import type { EvidenceFile } from '#contract/entities/care-evidence.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { type Result, request } from '#src/api/transport.ts';
import type { LaneOf, PartialSend, Sent } from '#src/offline/kinds/lane.ts';

/** Base64 characters of one piece. */
const pieceLetters = (evidenceLimits.pieceBytes / 3) * 4;

/** After this time the rest of a file waits for the next round, so that other changes are not delayed. */
const turnMs = 5000;

/**
 * Evidence files, one lane each. The server lists the missing pieces; each is sent separately and kept once received, so a file
 * gets through even over a connection that keeps breaking.
 */
export const evidenceLane: LaneOf<'evidence'> = {
  atOnce: 1,
  heavy: true,
  send: async (id, changes, headers): Promise<Result<EvidenceFile> & PartialSend> => {
    const began = Date.now();
    let madeProgress = false;
    const [change] = changes as [Sent];
    const { data = '', ...said } = change.args as ArgsOf<'evidence.add'>;
    const add = () => request<EvidenceFile>('PATCH', `/care-evidence/${id}`, { body: { changes: [{ ...change, args: said }] }, headers });
    const first = await add();
    if (first.kind !== 'ok' || first.data.missing.length === 0) return first;
    for (const piece of first.data.missing) {
      const body = { certificate_id: said.certificate_id, bytes: said.bytes, data: data.slice(piece * pieceLetters, (piece + 1) * pieceLetters) };
      const sent = await request<EvidenceFile>('POST', `/care-evidence/${id}/pieces/${piece}`, { body, compress: true, headers });
      if (sent.kind !== 'ok') return { ...sent, madeProgress };
      madeProgress = true;
      if (Date.now() - began > turnMs && sent.data.missing.length > 0) return { ...first, data: sent.data, more: true };
    }
    return { ...(await add()), madeProgress };
  },
  tables: (db) => [db.certificates],
  take: async (db, file) => {
    const certificate = await db.certificates.get(file.certificate_id);
    if (!certificate) return;
    const evidence = [...(certificate.evidence ?? []).filter((f) => f.id !== file.id), file];
    await db.certificates.put({ ...certificate, evidence });
  },
};
