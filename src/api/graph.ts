import type { PageMeta } from '#contract/api/paging.ts';
import { type ErrorBody, errors, isErrorCode } from '#contract/errors.ts';
import { placeHeaders } from '#src/api/acting-as.ts';
import { noteRefused } from '#src/api/call.ts';
import type { TypedDocumentString } from '#src/api/generated/graphql.ts';
import { type RequestOptions, type Result, request } from '#src/api/transport.ts';

type GraphError = { message: string; extensions?: { code?: unknown; status?: unknown; errors?: ErrorBody['errors'] } };

/**
 * Sends a GraphQL query or mutation and returns the same result as every other call: done, refused, or not reached.
 * Nothing is cached.
 */
export const graphCall = async <D, V>(
  document: TypedDocumentString<D, V>,
  variables: V,
  options: Pick<RequestOptions, 'signal' | 'timeoutMs'> = {},
): Promise<Result<D>> => {
  const result = await request<D>('POST', '/graphql', { ...options, headers: placeHeaders(), body: { query: document.toString(), variables } });
  if (result.kind === 'refused') noteRefused(result.status);
  const first = result.kind === 'ok' ? (result.errors as GraphError[] | undefined)?.[0] : undefined;
  if (!first) return result;
  // An ended session leads to sign-in, as with any other call.
  noteRefused(Number(first.extensions?.status));
  const code = isErrorCode(first.extensions?.code) ? first.extensions.code : 'internal';
  const fields = first.extensions?.errors;
  return {
    kind: 'refused',
    status: errors[code].status,
    error: { code, message: first.message, ...(fields ? { errors: fields } : {}) },
    retryAfterMs: null,
  };
};

type PageOf<T> = { data: T[]; paginatorInfo: { currentPage: number; lastPage: number; perPage: number; total: number } };
/** Converts a GraphQL page to the form used by other lists. */
export const pageOf = <T>({ data, paginatorInfo: p }: PageOf<T>): { kind: 'ok'; data: T[]; meta: PageMeta } => ({
  kind: 'ok',
  data,
  meta: { current_page: p.currentPage, last_page: p.lastPage, per_page: p.perPage, total: p.total },
});
