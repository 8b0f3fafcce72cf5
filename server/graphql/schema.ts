import SchemaBuilder from '@pothos/core';
import { GraphQLError } from 'graphql';
import { can, type Need } from '#contract/permissions.ts';
import { errors, type ErrorCode } from '#contract/errors.ts';
import { protocol } from '#contract/protocol.ts';
import { sql } from '#server/db/sql.ts';
import { eventsOf, type LearnerEvent } from '#server/features/learning/events.sql.ts';
import { listedPerson } from '#server/features/users/visible-person.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';

export type GraphContext = { services: Services; actor: Actor | null };
type Course = { id: string; title: string; short_title: string; delivery: string; renewal_months: number | null };
type Person = { id: string; name: string; email: string };
type HelpArticle = { id: string; title: string; url_regex: string; link_suffix: string; body: string };
type Paged<T> = { data: T[]; total: number; first: number; page: number };

const builder = new SchemaBuilder<{
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

export const graphError = (code: ErrorCode) => new GraphQLError(errors[code].message, { extensions: { code, status: errors[code].status } });
const signedIn = (context: GraphContext, need?: Need): Actor => {
  if (!context.actor) throw graphError('unauthenticated');
  if (context.actor.user.password_expired) throw graphError('password_change_required');
  if (need !== undefined && !can(context.actor.user, need)) throw graphError('forbidden');
  return context.actor;
};

const EventStatus = builder.enumType('EventStatus', { values: ['current', 'overdue', 'completed'] as const });

builder.objectType('Event', {
  description: 'A course on a person’s home page: to do, or done.',
  fields: (t) => ({
    id: t.exposeID('id'),
    course_id: t.exposeID('course_id'),
    course_title: t.exposeString('course_title'),
    content_id: t.exposeID('content_id', { nullable: true }),
    estimated_duration: t.exposeInt('estimated_duration', { nullable: true, description: 'Minutes.' }),
    delivery: t.exposeString('delivery'),
    compliance_type: t.exposeString('compliance_type', {
      nullable: true,
      description: 'primary, secondary, or none where the course is not required.',
    }),
    focused: t.exposeBoolean('focused', { description: 'Ours: their organisation wants it seen to first.' }),
    status: t.field({ type: EventStatus, resolve: (e) => e.status }),
    due_at: t.exposeString('due_at', { nullable: true }),
    reason: t.exposeString('reason', { description: 'Ours: why it stands so, in words.' }),
    completed_at: t.exposeString('completed_at', { nullable: true }),
    expires_at: t.exposeString('expires_at', { nullable: true }),
    score: t.exposeInt('score', { nullable: true }),
    result_id: t.exposeID('result_id', { nullable: true }),
    attempt_id: t.exposeID('attempt_id', { nullable: true }),
    percent: t.exposeInt('percent'),
    image: t.exposeString('image', { nullable: true }),
  }),
});
builder.objectType('EventCounts', {
  fields: (t) => ({ current: t.exposeInt('current'), overdue: t.exposeInt('overdue'), completed: t.exposeInt('completed') }),
});
builder.objectType('Course', {
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    short_title: t.exposeString('short_title'),
    delivery: t.exposeString('delivery'),
    renewal_months: t.exposeInt('renewal_months', { nullable: true }),
  }),
});
builder.objectType('Permission', { fields: (t) => ({ id: t.exposeInt('id'), slug: t.exposeString('slug') }) });
builder.objectType('User', { fields: (t) => ({ uuid: t.exposeID('id'), name: t.exposeString('name'), email: t.exposeString('email') }) });
builder.objectType('Me', {
  description: 'The signed-in person.',
  fields: (t) => ({
    uuid: t.id({ resolve: (a) => a.user.uuid }),
    name: t.string({ resolve: (a) => a.user.name }),
    email: t.string({ resolve: (a) => a.user.email }),
    permissions: t.field({ type: ['Permission'], resolve: (a) => a.user.permissions }),
  }),
});
builder.objectType('HelpArticle', {
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.exposeString('title'),
    url_regex: t.exposeString('url_regex'),
    link_suffix: t.exposeString('link_suffix'),
    body: t.exposeString('body'),
  }),
});
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

const paginator = <N extends 'Event' | 'Course' | 'User' | 'HelpArticle', T>(name: N) => {
  const ref = builder.objectRef<Paged<T>>(`${name}Paginator`);
  ref.implement({
    fields: (t) => ({
      data: t.field({ type: [name] as never, resolve: (p) => p.data as never }),
      paginatorInfo: t.field({ type: 'PaginatorInfo', resolve: (p) => ({ total: p.total, first: p.first, page: p.page, count: p.data.length }) }),
    }),
  });
  return ref;
};
const Events = paginator<'Event', LearnerEvent>('Event');
const Courses = paginator<'Course', Course>('Course');
const Users = paginator<'User', Person>('User');
const HelpArticles = paginator<'HelpArticle', HelpArticle>('HelpArticle');

const page = (args: { first?: number | null | undefined; page?: number | null | undefined }) => ({
  first: Math.min(Math.max(args.first ?? 10, 1), protocol.graphPageSizeAll),
  page: Math.max(args.page ?? 1, 1),
});
const slice = <T>(rows: T[], at: { first: number; page: number }): Paged<T> => ({
  data: rows.slice((at.page - 1) * at.first, at.page * at.first),
  total: rows.length,
  ...at,
});

builder.queryType({
  fields: (t) => ({
    me: t.field({ type: 'Me', nullable: true, resolve: (_, __, context) => context.actor }),
    eventCounts: t.field({
      type: 'EventCounts',
      description: 'How many of the signed-in person’s courses are current, overdue and completed.',
      resolve: async (_, __, context) => {
        const actor = signedIn(context);
        const counts = { current: 0, overdue: 0, completed: 0 };
        for (const event of await eventsOf(context.services.db, [actor.user.uuid], context.services.now())) counts[event.status]++;
        return counts;
      },
    }),
    activeEvents: t.field({
      type: Events,
      description: 'What the signed-in person has to do, the most urgent first.',
      args: { first: t.arg.int(), page: t.arg.int(), status: t.arg({ type: EventStatus }) },
      resolve: async (_, args, context) => {
        const events = await eventsOf(context.services.db, [signedIn(context).user.uuid], context.services.now());
        return slice(
          events.filter((e) => e.status !== 'completed' && (!args.status || e.status === args.status)),
          page(args),
        );
      },
    }),
    completedEvents: t.field({
      type: Events,
      description: 'What the signed-in person has done and is in date, the newest first.',
      args: { first: t.arg.int(), page: t.arg.int() },
      resolve: async (_, args, context) => {
        const events = await eventsOf(context.services.db, [signedIn(context).user.uuid], context.services.now());
        return slice(
          events.filter((e) => e.status === 'completed').sort((a, b) => (b.completed_at ?? '').localeCompare(a.completed_at ?? '')),
          page(args),
        );
      },
    }),
    courses: t.field({
      type: Courses,
      description: 'Published courses of the signed-in person’s organisation.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
      resolve: async (_, args, context) => {
        const actor = signedIn(context);
        const rows = await context.services.db.all<Course>(sql`select c.id, c.title, c.short_title, c.delivery, c.renewal_months from courses c
          where c.published and c.title ilike ${`%${(args.search ?? '').replace(/[%_\\]/g, '\\$&')}%`} and ${
            actor.seesAll
              ? sql`true`
              : sql`exists (
            with recursive up as (select id, parent_id from entities where id = ${actor.user.primary_entity.id} union all select p.id, p.parent_id from entities p join up on p.id = up.parent_id)
            select 1 from entity_courses ec where ec.course_id = c.id and ec.entity_id in (select id from up))`
          } order by c.title`);
        return slice(rows, page({ first: args.first ?? protocol.coursesPageSize, page: args.page }));
      },
    }),
    users: t.field({
      type: Users,
      description: 'People whom the signed-in person may see. Needs permission 21.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
      resolve: async (_, args, context) => {
        const actor = signedIn(context, 21);
        const at = page(args);
        const where = sql`${listedPerson(actor)} and u.name ilike ${`%${(args.search ?? '').replace(/[%_\\]/g, '\\$&')}%`}`;
        const total = (await context.services.db.one<{ n: number }>(sql`select count(*)::int as n from users u where ${where}`))?.n ?? 0;
        const data = await context.services.db.all<Person>(
          sql`select u.id, u.name, u.email from users u where ${where} order by u.name, u.id limit ${at.first} offset ${(at.page - 1) * at.first}`,
        );
        return { data, total, ...at };
      },
    }),
    helpArticles: t.field({
      type: HelpArticles,
      description: 'Help, chosen by the pattern of the route.',
      args: { first: t.arg.int(), page: t.arg.int() },
      resolve: async (_, args, context) => {
        signedIn(context);
        return slice(
          await context.services.db.all<HelpArticle>(sql`select id, title, url_regex, link_suffix, body from help_articles order by title`),
          page(args),
        );
      },
    }),
  }),
});

export const schema = builder.toSchema();
