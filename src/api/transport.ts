import type { ErrorBody } from '#contract/errors.ts';
import { errors, isErrorCode } from '#contract/errors.ts';
import { protocol, serverMark } from '#contract/protocol.ts';

/**
 * The one place that talks to the server over HTTP, in the page and in the worker. It answers one of three things and
 * never throws: the server did it, the server refused it, or nothing of ours was reached. A captive portal's page, a
 * redirect to another host and a cut answer count as not reached: no status is ever invented.
 */
export type Result<T = unknown> =
  | { kind: 'ok'; status: number; data: T; meta: unknown; headers: Headers /** What of a graph operation was refused. */; errors?: unknown }
  | { kind: 'refused'; status: number; error: ErrorBody & Record<string, unknown>; retryAfterMs: number | null }
  | { kind: 'unreachable'; reason: 'offline' | 'timeout' | 'stranger' };

export type RequestOptions = {
  body?: unknown;
  /** A form with files, in place of a body. */
  form?: FormData;
  headers?: Record<string, string>;
  compress?: boolean;
  timeoutMs?: number;
  keepalive?: boolean;
  signal?: AbortSignal;
};

export const apiBase: string = import.meta.env?.VITE_API_BASE ?? protocol.apiPrefix;

/** A body is given this long on its way, beside the time for an answer: 20 kB a second. */
const slowestBytesPerMs = 20;

let csrfToken: string | null = null;

const gzip = async (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();

/** A server that says to wait for longer is asked again after this: seconds. */
const longestRetryAfterS = 900;

const retryAfter = (headers: Headers): number | null => {
  const value = headers.get('Retry-After');
  const seconds = Number(value);
  return value === null || !Number.isFinite(seconds) ? null : Math.min(Math.max(seconds, 0), longestRetryAfterS) * 1000;
};

let heard: (reached: boolean) => void = () => undefined;
/** Says of each request whether the server was reached by it. One listener. */
export const whenHeard = (listener: (reached: boolean) => void) => {
  heard = listener;
};

const once = async <T>(method: string, path: string, options: RequestOptions): Promise<Result<T>> => {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  let body: BodyInit | undefined;
  if (options.body !== undefined) {
    headers['Content-Type'] = 'application/json';
    const text = JSON.stringify(options.body);
    if (options.compress && text.length > 1024) {
      headers['Content-Encoding'] = 'gzip';
      body = await gzip(text);
    } else body = text;
  }
  if (options.form) body = options.form;
  if (method !== 'GET' && csrfToken !== null) headers[protocol.csrfHeader] = csrfToken;
  const size = typeof body === 'string' ? body.length : body instanceof ArrayBuffer ? body.byteLength : 0;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000 + Math.ceil(size / slowestBytesPerMs));
  try {
    const response = await fetch(`${apiBase}${path}`, {
      method,
      headers,
      credentials: 'include',
      redirect: 'manual',
      cache: 'no-store',
      ...(body === undefined ? {} : { body }),
      signal: options.signal ? AbortSignal.any([timeout, options.signal]) : timeout,
      ...(options.keepalive ? { keepalive: true } : {}),
    });
    const ours = response.headers.get(serverMark.header) === serverMark.value;
    heard(ours);
    if (!ours) return { kind: 'unreachable', reason: 'stranger' };
    const token = response.headers.get(protocol.csrfHeader);
    if (token !== null) csrfToken = token;
    if (response.status === 204) return { kind: 'ok', status: 204, data: undefined as T, meta: undefined, headers: response.headers };
    const type = response.headers.get('Content-Type') ?? '';
    if (response.ok && !type.includes('json'))
      return { kind: 'ok', status: response.status, data: (await response.blob()) as T, meta: undefined, headers: response.headers };
    const json = (await response.json()) as { data?: T; meta?: unknown } & Record<string, unknown>;
    if (response.ok)
      return { kind: 'ok', status: response.status, data: json.data as T, meta: json.meta, headers: response.headers, errors: json.errors };
    if (!isErrorCode(json.code)) return { kind: 'unreachable', reason: 'stranger' };
    return {
      kind: 'refused',
      status: response.status,
      error: json as unknown as ErrorBody & Record<string, unknown>,
      retryAfterMs: retryAfter(response.headers),
    };
  } catch (error) {
    // Whoever asked has stopped listening: that says nothing of the line.
    if (!options.signal?.aborted) heard(false);
    return { kind: 'unreachable', reason: (error as Error).name === 'TimeoutError' ? 'timeout' : 'offline' };
  }
};

/** Sends one request. A missing or outdated anti-forgery token is fetched once, and the same request sent again. */
export const request = async <T = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<Result<T>> => {
  if (method !== 'GET' && csrfToken === null) {
    const fetched = await once('GET', '/sanctum/csrf-cookie', {});
    if (fetched.kind === 'unreachable') return fetched;
  }
  const result = await once<T>(method, path, options);
  if (result.kind === 'refused' && result.status === errors.csrf_mismatch.status) {
    csrfToken = null;
    const fetched = await once('GET', '/sanctum/csrf-cookie', {});
    if (fetched.kind === 'unreachable') return fetched;
    return once<T>(method, path, options);
  }
  return result;
};

/** Forgets the anti-forgery token; the next change fetches a new one. */
export const forgetCsrfToken = () => {
  csrfToken = null;
};

/** The anti-forgery header for a caller that sends its own requests; fetches the token where there is none. */
export const csrfHeaders = async (): Promise<Record<string, string>> => {
  if (csrfToken === null) await once('GET', '/sanctum/csrf-cookie', {});
  return csrfToken === null ? {} : { [protocol.csrfHeader]: csrfToken };
};
