import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { type Result, request } from '#src/api/transport.ts';
import type { PartialSend, Sent } from '#src/offline/kinds/lane.ts';

/** Base64 characters of one piece. */
const pieceLetters = (evidenceLimits.pieceBytes / 3) * 4;

/** After this time the rest of a file waits for the next round, so that other changes are not delayed. */
const turnMs = 5000;

/**
 * Sends a change whose file is uploaded in pieces first. The server lists the missing pieces; each is sent separately and kept once received,
 * so a file gets through even over a connection that keeps breaking. `data`: the file in base64; `change`: the change without it; `about`:
 * what is sent with each piece.
 */
export const sendInPieces = async <C extends { missing: number[] }>(
  path: string,
  change: Sent,
  { data, about }: { data: string; about: object },
  headers: Record<string, string>,
): Promise<Result<C> & PartialSend> => {
  const began = Date.now();
  let madeProgress = false;
  const add = () => request<C>('PATCH', path, { body: { changes: [change] }, headers });
  const first = await add();
  if (first.kind !== 'ok' || first.data.missing.length === 0) return first;
  for (const piece of first.data.missing) {
    const body = { ...about, data: data.slice(piece * pieceLetters, (piece + 1) * pieceLetters) };
    const sent = await request<C>('POST', `${path}/pieces/${piece}`, { body, compress: true, headers });
    if (sent.kind !== 'ok') return { ...sent, madeProgress };
    madeProgress = true;
    if (Date.now() - began > turnMs && sent.data.missing.length > 0) return { ...first, data: sent.data, more: true };
  }
  return { ...(await add()), madeProgress };
};
