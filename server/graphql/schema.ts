import { invalid } from '#server/http/product-error.ts';
import { protocol } from '#contract/protocol.ts';
import { sql } from '#server/db/sql.ts';
import { eventsOf, type LearnerEvent } from '#server/features/learning/events.sql.ts';
import { listedPerson } from '#server/db/seen.ts';
import { builder, type Course, type GraphContext, type HelpArticle, page, paginator, type Person, signedIn, slice } from '#server/graphql/builder.ts';
import '#server/graphql/pathways.ts';

const eventsByRequest = new WeakMap<GraphContext, Promise<LearnerEvent[]>>();
/** The signed-in person's courses; computed once a request, however many fields ask for them. */
const ownEvents = async (context: GraphContext): Promise<readonly LearnerEvent[]> => {
  const { user } = signedIn(context);
  const events = eventsByRequest.get(context) ?? eventsOf(context.services.db, [user.uuid], context.services.now());
  eventsByRequest.set(context, events);
  return events;
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
    pathway: t.exposeString('pathway', {
      nullable: true,
      description: 'Ours: the pathway that it is a step of, where it is still to be done for that.',
    }),
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
const longestSearch = 200;
/** The pattern of a search. Throws `invalid_input` for more than any title or name holds. */
const searched = (text: string | null | undefined): string => {
  if ((text ?? '').length > longestSearch) throw invalid('search', `Search for ${longestSearch} characters at most.`);
  return `%${(text ?? '').replace(/[%_\\]/g, '\\$&')}%`;
};
const Events = paginator<LearnerEvent>('Event');
const Courses = paginator<Course>('Course');
const Users = paginator<Person>('User');
const HelpArticles = paginator<HelpArticle>('HelpArticle');

builder.queryType({
  fields: (t) => ({
    me: t.field({ type: 'Me', nullable: true, resolve: (_, __, context) => context.actor }),
    eventCounts: t.field({
      type: 'EventCounts',
      description: 'How many of the signed-in person’s courses are current, overdue and completed.',
      resolve: async (_, __, context) => {
        const counts = { current: 0, overdue: 0, completed: 0 };
        for (const event of await ownEvents(context)) counts[event.status]++;
        return counts;
      },
    }),
    activeEvents: t.field({
      type: Events,
      description: 'What the signed-in person has to do, the most urgent first.',
      args: { first: t.arg.int(), page: t.arg.int(), status: t.arg({ type: EventStatus }) },
      resolve: async (_, args, context) => {
        const events = await ownEvents(context);
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
        const events = await ownEvents(context);
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
          where c.published and c.title ilike ${searched(args.search)} and ${
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
      description: 'People whom the signed-in person may see. Needs permission user.search.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
      resolve: async (_, args, context) => {
        const actor = signedIn(context, 'user.search');
        const at = page(args);
        const where = sql`${listedPerson(actor)} and u.name ilike ${searched(args.search)}`;
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
