import type { ErrorBody } from '#contract/errors.ts';
import { errors, isErrorCode } from '#contract/errors.ts';
import { protocol, serverMark } from '#contract/protocol.ts';

/**
 * The only place that makes HTTP requests to the server, in the page and in the worker. It never throws and returns one of
 * three results: done, refused, or not reached. A captive portal's page, a redirect to another host and a truncated answer
 * count as not reached: no status is ever invented.
 */
export type Result<T = unknown> =
  | { kind: 'ok'; status: number; data: T; meta: unknown; headers: Headers /** The GraphQL operation that was refused. */; errors?: unknown }
  | { kind: 'refused'; status: number; error: ErrorBody & Record<string, unknown>; retryAfterMs: number | null }
  | { kind: 'unreachable'; reason: 'offline' | 'timeout' | 'stranger' };

export type RequestOptions = {
  body?: unknown;
  /** A form with files instead of a JSON body. */
  form?: FormData;
  headers?: Record<string, string>;
  compress?: boolean;
  timeoutMs?: number;
  keepalive?: boolean;
  signal?: AbortSignal;
};

export const apiBase: string = import.meta.env?.VITE_API_BASE ?? protocol.apiPrefix;

/** Additional timeout for sending the body: 20 kB a second. */
const slowestBytesPerMs = 20;

let csrfToken: string | null = null;

const gzip = async (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();

/** Upper limit for a requested wait, in seconds. */
const longestRetryAfterS = 900;

const retryAfter = (headers: Headers): number | null => {
  const value = headers.get('Retry-After');
  const seconds = Number(value);
  return value === null || !Number.isFinite(seconds) ? null : Math.min(Math.max(seconds, 0), longestRetryAfterS) * 1000;
};

/** `late`: no answer came in time, so nothing is known about the connection. */
export type Heard = 'reached' | 'late' | 'unreachable';
let heard: (how: Heard) => void = () => undefined;
/** Called for each request with whether it reached the server. A single listener. */
export const whenHeard = (listener: (how: Heard) => void) => {
  heard = listener;
};

/** A request that takes longer is said to be slow. */
export const slowAfterMs = 8000;
let slow = 0;
const slowListeners = new Set<() => void>();
/** The number of requests that have waited for an answer for longer than that. */
export const slowRequests = (): number => slow;
export const whenSlow = (listener: () => void): (() => void) => {
  slowListeners.add(listener);
  return () => slowListeners.delete(listener);
};
/** Counts a request as slow from then on. Returns the function that ends it. */
const countIfSlow = (): (() => void) => {
  const count = (by: 1 | -1) => {
    slow += by;
    for (const listener of slowListeners) listener();
  };
  let counted = false;
  const timer = setTimeout(() => {
    counted = true;
    count(1);
  }, slowAfterMs);
  return () => {
    clearTimeout(timer);
    if (counted) count(-1);
  };
};
/** Bodies up to this size are sent at once; the time of larger ones is that of the line. */
const smallBytes = 100_000;

let held: (path: string) => Promise<boolean> | null = () => null;
/**
 * Asked before each request: null lets it go, a promise holds it until it is known whether it may go. Held requests that may not go count
 * as not reached. A single listener.
 */
export const whenHeld = (listener: typeof held) => {
  held = listener;
};

let contractHeard: (fingerprint: string) => void = () => undefined;
/** Called for each of the server's answers with the fingerprint of its contract. A single listener. */
export const whenContractHeard = (listener: (fingerprint: string) => void) => {
  contractHeard = listener;
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
  const answered = options.form || size > smallBytes ? () => undefined : countIfSlow();
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
    heard(ours ? 'reached' : 'unreachable');
    if (!ours) return { kind: 'unreachable', reason: 'stranger' };
    const contract = response.headers.get(serverMark.contractHeader);
    if (contract !== null) contractHeard(contract);
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
    // An aborted request says nothing about the connection.
    const reason = (error as Error).name === 'TimeoutError' ? 'timeout' : 'offline';
    if (!options.signal?.aborted) heard(reason === 'timeout' ? 'late' : 'unreachable');
    return { kind: 'unreachable', reason };
  } finally {
    answered();
  }
};

/** Sends a request. If the anti-forgery token is missing or outdated, it is fetched once and the request repeated. */
export const request = async <T = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<Result<T>> => {
  const hold = held(path);
  if (hold && !(await hold)) return { kind: 'unreachable', reason: 'offline' };
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

/** Discards the anti-forgery token; the next change fetches a new one. */
export const forgetCsrfToken = () => {
  csrfToken = null;
};

/** The anti-forgery header for callers that send their own requests; fetches the token if there is none. */
export const csrfHeaders = async (): Promise<Record<string, string>> => {
  if (csrfToken === null) await once('GET', '/sanctum/csrf-cookie', {});
  return csrfToken === null ? {} : { [protocol.csrfHeader]: csrfToken };
};
