import type { TypedDocumentNode } from '@apollo/client';
import type { PageMeta } from '#contract/api/paging.ts';
import { type ErrorBody, errors, isErrorCode } from '#contract/errors.ts';
import { currentUser } from '#src/access/session.ts';
import type { Result } from '#src/api/transport.ts';

/**
 * Asks the graph, or changes something by it, and answers as every other call does: it was done, it was refused, or nothing of
 * ours was reached. Nothing of it is kept.
 */
export const graphCall = async <D, V extends Record<string, unknown>>(document: TypedDocumentNode<D, V>, variables: V): Promise<Result<D>> => {
  const person = currentUser();
  const refused = (error: ErrorBody & Record<string, unknown>): Result<D> => ({
    kind: 'refused',
    status: errors[error.code].status,
    error,
    retryAfterMs: null,
  });
  if (!person) return refused({ code: 'unauthenticated', message: errors.unauthenticated.message });
  const { graphClient, firstGraphError } = await import('#src/device/graph-client.ts');
  const { client } = await graphClient(person.uuid);
  const changes = document.definitions.some((d) => d.kind === 'OperationDefinition' && d.operation === 'mutation');
  const { data, error } = await (changes
    ? client.mutate({ mutation: document, variables, errorPolicy: 'all', fetchPolicy: 'no-cache' } as never)
    : client.query({ query: document, variables, errorPolicy: 'all', fetchPolicy: 'no-cache' } as never)
  ).catch((thrown: unknown) => ({ data: undefined, error: thrown }));
  const first = firstGraphError(error);
  if (first) {
    const code = first.extensions?.code;
    const fields = first.extensions?.errors as ErrorBody['errors'];
    return refused({
      code: isErrorCode(code) ? code : 'internal',
      message: first.message,
      ...(fields ? { errors: fields } : {}),
    });
  }
  if (error || !data) return { kind: 'unreachable', reason: 'offline' };
  return { kind: 'ok', status: 200, data: data as D, meta: undefined, headers: new Headers() };
};

type PageOf<T> = { data: T[]; paginatorInfo: { currentPage: number; lastPage: number; perPage: number; total: number } };
/** A page of the graph as other lists answer one. */
export const pageOf = <T>({ data, paginatorInfo: p }: PageOf<T>): { kind: 'ok'; data: T[]; meta: PageMeta } => ({
  kind: 'ok',
  data,
  meta: { current_page: p.currentPage, last_page: p.lastPage, per_page: p.perPage, total: p.total },
});
