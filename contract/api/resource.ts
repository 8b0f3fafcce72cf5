import * as z from 'zod/mini';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { Id } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

type Schema = z.ZodMiniType;
type Permissions = readonly PermissionSlug[];

/**
 * A resource of our own: the five calls that list, return, add, change and delete it, from one declaration. The server answers
 * them by `resourceHandlers`, the client shows them by `resourcePages`, and `testResource` tests them.
 */
export const resource = <
  const One extends string,
  const Many extends string,
  const Path extends `/${string}`,
  Row extends Schema,
  Fields extends Schema,
  New extends Schema = Fields,
  const Sort extends string = never,
>({
  ids: [one, many],
  path,
  words: { one: a, many: several, deletes = '' },
  row,
  fields,
  create,
  sorts,
  read,
  write,
  inUse = false,
}: {
  /** The names in its operation ids: `getVenue`, `listVenues`. */
  ids: readonly [One, Many];
  path: Path;
  /** The nouns in its summaries: “a venue”, “venues”, and an addition to the summary of deleting one. */
  words: { one: string; many: string; deletes?: string };
  row: Row;
  /** The schema of a change; `create` if adding one needs more fields. */
  fields: Fields;
  create?: New;
  sorts: readonly Sort[];
  read: Permissions;
  write: Permissions;
  /** True if deleting one can be refused because something depends on it. */
  inUse?: boolean;
}) => {
  const params = z.object({ id: Id });
  const common = { ours: true, offline: 'online-only' } as const;
  const [reads, writes] = [{ ...common, access: read } as const, { ...common, access: write } as const];
  const readErrors = ['unauthenticated', 'forbidden'] as const;
  const writeErrors = ['invalid_input', 'not_found', 'csrf_mismatch', ...readErrors] as const;
  const [all, each] = [path, `${path}/{id}`] as const;
  const query = z.object({ ...pageQuery, ...sortQuery(sorts) });
  const id = { list: `list${many}`, get: `get${one}`, create: `create${one}`, update: `update${one}`, delete: `delete${one}` } as const;
  const body = (create ?? fields) as New;
  const removeErrors = inUse ? (['in_use', ...writeErrors] as const) : writeErrors;
  const removal = `Deletes ${a}. It remains in the audit log.${deletes}`;
  return [
    { ...reads, id: id.list, method: 'GET', path: all, query, response: z.array(row), errors: readErrors, summary: `Lists ${several}, in pages.` },
    { ...reads, id: id.get, method: 'GET', path: each, params, response: row, errors: ['not_found', ...readErrors], summary: `Returns ${a}.` },
    { ...writes, id: id.create, method: 'POST', path: all, body, response: row, status: 201, errors: writeErrors, summary: `Adds ${a}.` },
    { ...writes, id: id.update, method: 'PATCH', path: each, params, body: fields, response: row, errors: writeErrors, summary: `Changes ${a}.` },
    { ...writes, id: id.delete, method: 'DELETE', path: each, params, status: 204, errors: removeErrors, summary: removal },
  ] as const;
};
