import { type ContentFileKind, contentFileLimits } from '#contract/entities/content-file.ts';
import type { Media } from '#contract/entities/content.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { upload } from '#src/api/upload.ts';
import { formatMegabytes } from '#src/lib/format.ts';

/** How long a connection may be lost before the person has to send again, and the pause between two attempts. In ms. */
const patience = { inAllMs: 300_000, firstMs: 500, mostMs: 10_000 };
const atOnce = 2;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Retries what could not reach the server, within that time. Refusals are not retried. */
const patiently = async <T>(send: () => Promise<Result<T>>, signal?: AbortSignal): Promise<Result<T>> => {
  for (let waited = 0, wait = patience.firstMs; ; waited += wait, wait = Math.min(wait * 2, patience.mostMs)) {
    const result = await send();
    const again = result.kind === 'unreachable' || (result.kind === 'refused' && result.error.code === 'unavailable');
    if (!again || signal?.aborted || waited >= patience.inAllMs) return result;
    await pause(wait);
  }
};

/**
 * Uploads a file in pieces and returns its id: after an interruption only missing pieces are sent again. `onPart` is called with the
 * progress, from 0 to 1.
 */
export const sendPieces = async (
  kind: ContentFileKind,
  file: File,
  onPart: (part: number) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result<{ id: string }>> => {
  if (file.size > contentFileLimits.bytes) {
    const message = `“${file.name}” is ${formatMegabytes(file.size)}; ${formatMegabytes(contentFileLimits.bytes)} is the most.`;
    return { kind: 'refused', status: 413, error: { message, code: 'body_too_large' }, retryAfterMs: null };
  }
  const begun = await patiently(() =>
    call('POST /content/files', { body: { kind, name: file.name.slice(-255), bytes: file.size } }, { quiet: true }),
  );
  if (begun.kind !== 'ok') return begun;
  const { id, piece_bytes: size, missing } = begun.data;
  const left = [...missing];
  let arrived = 0;
  let stopped: Exclude<Result<unknown>, { kind: 'ok' }> | null = null;
  const send = async () => {
    for (let piece = left.shift(); piece !== undefined && !stopped && !signal.aborted; piece = left.shift()) {
      const no = piece;
      const result = await patiently(
        () => upload<{ missing: number }>(`/content/files/${id}/pieces/${no}`, file.slice(no * size, (no + 1) * size), () => undefined, signal),
        signal,
      );
      if (result.kind !== 'ok') {
        stopped = result;
        return;
      }
      onPart(++arrived / missing.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  return stopped ?? (signal.aborted ? { kind: 'unreachable', reason: 'offline' } : begun);
};

/** Uploads a film, sound, file or captions for a topic in pieces, and has the server check it. */
export const sendFile = async (kind: ContentFileKind, file: File, onPart: (part: number) => void): Promise<Result<Media>> => {
  const sent = await sendPieces(kind, file, onPart);
  if (sent.kind !== 'ok') return sent;
  return patiently(() => call('POST /content/files/{id}/finish', { params: { id: sent.data.id } }, { quiet: true }));
};
