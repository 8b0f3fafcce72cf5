import SchemaBuilder, { type ObjectRef } from '@pothos/core';
import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import * as z from 'zod/mini';
import { errors, type ErrorCode } from '#contract/errors.ts';
import { can, type Need } from '#contract/can.ts';
import { Id } from '#contract/entities/fields.ts';
import { protocol } from '#contract/protocol.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import { existing } from '#server/db/rows.ts';
import type { Services } from '#server/services.ts';
import { read } from '#server/validation.ts';

/** The context of every field: the caller and their request. */
export type GraphContext = { services: Services; actor: Actor | null; request: Pick<FastifyRequest, 'ip'> };
export type Paged<T> = { data: T[]; total: number; first: number; page: number };

/** Features add their types and operations to it (`x.graph.ts`). */
export const builder = new SchemaBuilder<{ Context: GraphContext; DefaultFieldNullability: false }>({ defaultFieldNullability: false });
builder.queryType();
builder.mutationType();

const graphError = (code: ErrorCode) => new GraphQLError(errors[code].message, { extensions: { code, status: errors[code].status } });
/** The caller; refused without one, or without the permission. */
export const signedIn = (context: GraphContext, need?: Need): Actor => {
  if (!context.actor) throw graphError('unauthenticated');
  if (context.actor.user.password_expired) throw graphError('password_change_required');
  if (need !== undefined && !can(context.actor.user, need)) throw graphError('forbidden');
  return context.actor;
};

const PaginatorInfo = builder.objectRef<Omit<Paged<unknown>, 'data'> & { count: number }>('PaginatorInfo').implement({
  fields: (t) => ({
    count: t.exposeInt('count'),
    currentPage: t.exposeInt('page'),
    perPage: t.exposeInt('first'),
    total: t.exposeInt('total'),
    lastPage: t.int({ resolve: (p) => Math.max(1, Math.ceil(p.total / p.first)) }),
    hasMorePages: t.boolean({ resolve: (p) => p.page * p.first < p.total }),
    firstItem: t.int({ nullable: true, resolve: (p) => (p.count === 0 ? null : (p.page - 1) * p.first + 1) }),
    lastItem: t.int({ nullable: true, resolve: (p) => (p.count === 0 ? null : (p.page - 1) * p.first + p.count) }),
  }),
});

/** The type of a paged list. */
export const paginator = <T>(rowType: ObjectRef<typeof builder.$inferSchemaTypes, T>) =>
  builder.objectRef<Paged<T>>(`${rowType.name}Paginator`).implement({
    fields: (t) => ({
      data: t.field({ type: [rowType], resolve: (p) => p.data }),
      paginatorInfo: t.field({ type: PaginatorInfo, resolve: ({ data, ...p }) => ({ ...p, count: data.length }) }),
    }),
  });
/** The requested page, within limits. */
export const page = (args: { first?: number | null | undefined; page?: number | null | undefined }) => ({
  first: Math.min(Math.max(args.first ?? 10, 1), protocol.graphPageSizeAll),
  page: Math.max(args.page ?? 1, 1),
});
/** One page of a list held in memory. */
export const slice = <T>(rows: T[], at: { first: number; page: number }): Paged<T> => ({
  data: rows.slice((at.page - 1) * at.first, at.page * at.first),
  total: rows.length,
  ...at,
});
/** A page as the REST calls answer it. */
export const paged = <T>({ data, meta }: { data: T[]; meta: { total: number; per_page: number; current_page: number } }): Paged<T> => ({
  data,
  total: meta.total,
  first: meta.per_page,
  page: meta.current_page,
});
const longestSearch = 200;
/** The search text. Throws `invalid_input` if it is longer than any title or name. */
export const searched = (text: string | null | undefined): string => {
  if ((text ?? '').length > longestSearch) throw invalid('search', `Search for ${longestSearch} characters at most.`);
  return text ?? '';
};

/** The requested page as the REST calls ask for it; `page` and `search` as above. */
export const asked = ({ search, ...at }: Parameters<typeof page>[0] & { search?: string | null | undefined }) => {
  const { first, page: of } = page(at);
  return { page: of, per_page: first, ...(search ? { search: searched(search) } : {}) };
};

/** A requested id. Throws `invalid_input` if it cannot be one. */
export const idOf = (id: unknown, field = 'id'): string => existing(read(z.object({ [field]: Id }), { [field]: id }))[field] as string;

/** Renames the fields in errors of `work` to the graph's input names: services use those of the REST calls. */
export const inNames = async <T>(names: Readonly<Record<string, string>>, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProductError) || !error.fields) throw error;
    const { code, message, extra, headers } = error;
    const named = (field: string) => {
      const [first = '', ...rest] = field.split('.');
      return [names[first] ?? first, ...rest].join('.');
    };
    const fields = Object.fromEntries(Object.entries(error.fields).map(([field, messages]) => [named(field), messages]));
    throw new ProductError(code, { message, fields, extra, headers });
  }
};
