import { type ErrorBody, isErrorCode } from '#contract/errors.ts';
import { serverMark } from '#contract/protocol.ts';
import { placeHeaders } from '#src/api/acting-as.ts';
import { apiBase, csrfHeaders, type Result } from '#src/api/transport.ts';

/**
 * Sends a file as the body of a request and reports progress (0 to 1). Returns the same result as `request` and never
 * throws; an upload aborted by `signal` counts as not reached.
 */
export const upload = async <T>(path: string, file: Blob, onProgress: (part: number) => void, signal: AbortSignal): Promise<Result<T>> => {
  const headers = { ...placeHeaders(), ...(await csrfHeaders()) };
  return new Promise((done) => {
    // XMLHttpRequest is the only browser API that reports upload progress.
    const sending = new XMLHttpRequest();
    const unreachable = () => done({ kind: 'unreachable', reason: 'offline' });
    sending.open('POST', `${apiBase}${path}`);
    sending.withCredentials = true;
    for (const [name, value] of Object.entries({ Accept: 'application/json', 'Content-Type': 'application/octet-stream', ...headers }))
      sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    sending.onerror = unreachable;
    sending.onabort = unreachable;
    sending.onload = () => {
      try {
        if (sending.getResponseHeader(serverMark.header) !== serverMark.value) throw new Error('a stranger');
        const json = JSON.parse(sending.responseText) as { data?: T } & Record<string, unknown>;
        if (sending.status < 300) done({ kind: 'ok', status: sending.status, data: json.data as T, meta: undefined, headers: new Headers() });
        else if (isErrorCode(json.code))
          done({ kind: 'refused', status: sending.status, error: json as unknown as ErrorBody & Record<string, unknown>, retryAfterMs: null });
        else throw new Error('a stranger');
      } catch {
        done({ kind: 'unreachable', reason: 'stranger' });
      }
    };
    signal.addEventListener('abort', () => sending.abort(), { once: true });
    sending.send(file);
  });
};
