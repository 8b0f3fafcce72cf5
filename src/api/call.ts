import type { BodyInput, Endpoint, ParamsOf, QueryInput, ResponseOf } from '#contract/api/endpoint.ts';
import { type RequestOptions, type Result, request } from '#src/api/transport.ts';

type Needs<K extends string, T> = T extends undefined ? { [k in K]?: undefined } : { [k in K]: T };
export type CallInput<E extends Endpoint> = Needs<'params', ParamsOf<E>> & { query?: QueryInput<E> } & Needs<'body', BodyInput<E>>;
type Data<E> = E extends { file: string } ? Blob : ResponseOf<E>;

export const pathOf = (endpoint: Endpoint, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string => {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (v === undefined || v === null || v === '' ? [] : [[k, String(v)]])));
  return search.size > 0 ? `${path}?${search}` : path;
};

let onRefused: (status: number) => void = () => undefined;
/** What the screens do on 401, 419 and 403 (specification section 4). Replaying never goes through here. */
export const whenRefused = (handler: (status: number) => void) => {
  onRefused = handler;
};

/** Calls an endpoint of the contract; input and answer are typed by it. */
export const call = async <const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: Omit<RequestOptions, 'body'> & { quiet?: boolean } = {},
): Promise<Result<Data<E>>> => {
  const { params, query, body } = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
  const result = await request<Data<E>>(endpoint.method, pathOf(endpoint, params, query), { ...options, ...(body === undefined ? {} : { body }) });
  if (
    result.kind === 'refused' &&
    !options.quiet &&
    (result.status === 401 || result.status === 419 || (result.status === 403 && result.error.code !== 'password_change_required'))
  )
    onRefused(result.status);
  return result;
};

/** A sentence for a person about what went wrong. */
export const sentenceOf = (result: Exclude<Result, { kind: 'ok' }>): string =>
  result.kind === 'refused' ? result.error.message : 'There is no connection to the server. Check the signal and try again.';
