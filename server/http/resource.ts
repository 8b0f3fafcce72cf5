import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { By } from '#server/note-change.ts';
import type { Calls, Resource } from '#server/resource.ts';

/** What one of the handlers is given. */
type Asked<L extends Calls> = By & {
  params: { id: string };
  query: Parameters<Resource<L>['page']>[1];
  body: Parameters<Resource<L>['create']>[1] & Parameters<Resource<L>['update']>[2];
};

/** Answers the five calls of a resource with what can be done with it. */
export const resourceHandlers = <const L extends Calls>(calls: L, resource: Resource<L>): HandlersOf<L> => {
  const handlers = [
    ({ query, actor }: Asked<L>) => resource.page(actor, query),
    async ({ params, actor }: Asked<L>) => ({ data: await resource.get(actor, params.id) }),
    async ({ body, ...by }: Asked<L>) => ({ data: await resource.create(by, body) }),
    async ({ params, body, ...by }: Asked<L>) => ({ data: await resource.update(by, params.id, body) }),
    ({ params, ...by }: Asked<L>) => resource.remove(by, params.id),
  ];
  return Object.fromEntries(calls.map(({ id }, n) => [id, handlers[n]])) as unknown as HandlersOf<L>;
};
