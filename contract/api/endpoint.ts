import type * as z from 'zod/mini';
import type { ErrorCode } from '#contract/errors.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

type Schema = z.ZodMiniType;

/**
 * A call of the API as data. The server registers it, the client calls by it, the API page is printed from it.
 * `access` cannot be left out: `public`, `signed-in`, or any one of a list of permissions.
 */
export type Endpoint = {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in the specification; served below `protocol.apiPrefix`. */
  path: string;
  summary: string;
  /** True where the call is our addition to the specification. */
  ours?: true;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** The body is a file that flows: its types, and how many bytes it may have. */
  upload?: { types: readonly string[]; limitBytes: number };
  /** How many bytes a body of JSON may have, where it is more than usual. */
  bodyLimitBytes?: number;
  /** The shape of `data` in the answer; absent for an empty answer or a file. */
  response?: Schema;
  /** The type of a file that is answered instead of JSON. */
  file?: string;
  status?: number;
  errors: readonly ErrorCode[];
  access: 'public' | 'signed-in' | readonly PermissionSlug[];
  /** Who may call it while the password must be changed first. */
  duringPasswordChange?: true;
  /** Passwords, keys and tokens: not made while one acts for another organisation. */
  notWhileActing?: true;
  offline: 'queue' | 'cached' | 'online-only';
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
