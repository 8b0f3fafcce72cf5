import SchemaBuilder from '@pothos/core';
import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { errors, type ErrorCode } from '#contract/errors.ts';
import { can, type Need } from '#contract/can.ts';
import { protocol } from '#contract/protocol.ts';
import type { LearnerEvent } from '#server/features/learning/events.sql.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';

/** What every field is handed: who asks, by which request. */
export type GraphContext = { services: Services; actor: Actor | null; request: Pick<FastifyRequest, 'ip'> };
export type Course = { id: string; title: string; short_title: string; delivery: string; renewal_months: number | null };
export type Person = { id: string; name: string; email: string };
export type HelpArticle = { id: string; title: string; url_regex: string; link_suffix: string; body: string };
export type Paged<T> = { data: T[]; total: number; first: number; page: number };

export const builder = new SchemaBuilder<{
  Context: GraphContext;
  Objects: {
    Event: LearnerEvent;
    EventCounts: { current: number; overdue: number; completed: number };
    Course: Course;
    User: Person;
    Me: Actor;
    Permission: { id: number; slug: string };
    HelpArticle: HelpArticle;
    PaginatorInfo: Omit<Paged<unknown>, 'data'> & { count: number };
  };
  DefaultFieldNullability: false;
}>({ defaultFieldNullability: false });

const graphError = (code: ErrorCode) => new GraphQLError(errors[code].message, { extensions: { code, status: errors[code].status } });
/** Who asks; refused where nobody does, or where they lack the permission. */
export const signedIn = (context: GraphContext, need?: Need): Actor => {
  if (!context.actor) throw graphError('unauthenticated');
  if (context.actor.user.password_expired) throw graphError('password_change_required');
  if (need !== undefined && !can(context.actor.user, need)) throw graphError('forbidden');
  return context.actor;
};

builder.objectType('PaginatorInfo', {
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

/** The type of a list that comes a page at a time. `of` is the type of what it lists, by name or as it was made. */
export const paginator = <T>(name: string, of: unknown = name) => {
  const ref = builder.objectRef<Paged<T>>(`${name}Paginator`);
  ref.implement({
    fields: (t) => ({
      data: t.field({ type: [of] as never, resolve: (p) => p.data as never }),
      paginatorInfo: t.field({ type: 'PaginatorInfo', resolve: (p) => ({ total: p.total, first: p.first, page: p.page, count: p.data.length }) }),
    }),
  });
  return ref;
};
/** Which page is asked for, within what may be asked for. */
export const page = (args: { first?: number | null | undefined; page?: number | null | undefined }) => ({
  first: Math.min(Math.max(args.first ?? 10, 1), protocol.graphPageSizeAll),
  page: Math.max(args.page ?? 1, 1),
});
/** One page of what is known whole. */
export const slice = <T>(rows: T[], at: { first: number; page: number }): Paged<T> => ({
  data: rows.slice((at.page - 1) * at.first, at.page * at.first),
  total: rows.length,
  ...at,
});
