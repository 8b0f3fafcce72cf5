import type { BodyInput, Endpoint, ParamsOf, QueryInput, ResponseOf } from '#contract/api/endpoint.ts';
import type { AnyEndpoint } from '#contract/api/endpoints.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { placeHeaders } from '#src/api/acting-as.ts';
import { type RequestOptions, type Result, request } from '#src/api/transport.ts';

/**
 * The contract's endpoints, keyed by method and path: `GET /users/{id}`. Only types are imported from the contract, so
 * that no schema is loaded to make a call.
 */
type Endpoints = { [E in AnyEndpoint as `${E['method']} ${E['path']}`]: E };
export type EndpointKey = keyof Endpoints;

type Needs<K extends string, T> = [T] extends [undefined] ? { [k in K]?: undefined } : { [k in K]: T };
type Input<E extends Endpoint> = Needs<'params', ParamsOf<E>> & { query?: QueryInput<E> } & Needs<'body', BodyInput<E>>;
type Data<E> = E extends { file: string } ? Blob : ResponseOf<E>;
/** The input and response types of a call. */
export type CallInput<K extends EndpointKey> = Input<Endpoints[K]>;
export type CallData<K extends EndpointKey> = Data<Endpoints[K]>;

const pathOf = (template: string, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string => {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (v === undefined || v === null || v === '' ? [] : [[k, String(v)]])));
  return search.size > 0 ? `${path}?${search}` : path;
};

let onRefused: (status: number, code?: ErrorCode) => void = () => undefined;
/** How screens handle 401, 419 and 403 (specification section 4). Not used by replay. */
export const whenRefused = (handler: typeof onRefused) => {
  onRefused = handler;
};

/** Reports a refusal of a request that did not use `call`. */
export const noteRefused = (status: number): void => {
  if ([401, 419].includes(status)) onRefused(status);
};

/** Calls an endpoint; input and response are typed by the contract. */
export const call = async <K extends EndpointKey>(
  key: K,
  input: CallInput<K>,
  options: Omit<RequestOptions, 'body'> & { quiet?: boolean } = {},
): Promise<Result<CallData<K>>> => {
  const { params, query, body } = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };
  const [method, path] = key.split(' ') as [string, string];
  const result = await request<CallData<K>>(method, pathOf(path, params, query), {
    ...options,
    headers: { ...placeHeaders(), ...options.headers },
    ...(body === undefined ? {} : { body }),
  });
  const { quiet = false } = options;
  if (result.kind === 'refused' && result.error.code === 'acting_as_refused') {
    onRefused(result.status, result.error.code);
    return result;
  }
  if (result.kind === 'refused' && !quiet && [401, 403, 419].includes(result.status) && result.error.code !== 'password_change_required') {
    // Errors of a field are shown by the form, which keeps the rest of the input.
    if (result.status !== 403 || !result.error.errors) onRefused(result.status);
  }
  return result;
};

/** An error message for the user. Of input that was refused it says what is wrong with it: “Invalid input.” alone helps nobody. */
export const sentenceOf = (result: Exclude<Result, { kind: 'ok' }>): string => {
  if (result.kind !== 'refused' && result.reason === 'timeout') return 'The server has not answered in time. It may be slow: please try again.';
  if (result.kind !== 'refused') return 'There is no connection to the server. Check the signal and try again.';
  const { code, message, errors = {} } = result.error;
  return (code === 'invalid_input' && Object.values(errors).flat()[0]) || message;
};
