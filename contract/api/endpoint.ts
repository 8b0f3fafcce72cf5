import type * as z from 'zod/mini';
import type { ErrorCode } from '#contract/errors.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

type Schema = z.ZodMiniType;

/**
 * An API endpoint as data: registered by the server, called by the client, and the source of the API documentation.
 * `access` is mandatory: `public`, `signed-in`, or a list of permissions of which the caller needs at least one.
 */
export type Endpoint = {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path in the specification; served below `protocol.apiPrefix`. */
  path: string;
  summary: string;
  /** True if the endpoint is our addition to the specification. */
  ours?: true;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** The body is a streamed file: its media types and size limit. */
  upload?: { types: readonly string[]; limitBytes: number };
  /** Size limit of the JSON body, if higher than the default. */
  bodyLimitBytes?: number;
  /** The schema of `data` in the response; absent for an empty response or a file. */
  response?: Schema;
  /** The media type, if the response is a file instead of JSON. */
  file?: string;
  /** The media type, if the response is a file where the body asks for one, and JSON otherwise. */
  orFile?: string;
  status?: number;
  errors: readonly ErrorCode[];
  access: 'public' | 'signed-in' | readonly PermissionSlug[];
  /** Available even while the person must change their password. */
  duringPasswordChange?: true;
  /** Not available while acting for another organisation: passwords, keys and tokens. */
  notWhileActing?: true;
  offline: 'queue' | 'cached' | 'online-only';
  /** Its cost grows with the size of the organisation: the server runs few of them at once for each. */
  costly?: true;
};

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

type Out<S> = S extends Schema ? z.output<S> : undefined;
type In<S> = S extends Schema ? z.input<S> : undefined;
type Field<E, K extends string> = K extends keyof E ? E[K] : undefined;

export type ParamsOf<E> = Out<Field<E, 'params'>>;
export type QueryOf<E> = Out<Field<E, 'query'>>;
export type BodyOf<E> = Out<Field<E, 'body'>>;
export type QueryInput<E> = In<Field<E, 'query'>>;
export type BodyInput<E> = In<Field<E, 'body'>>;
export type ResponseOf<E> = Out<Field<E, 'response'>>;
