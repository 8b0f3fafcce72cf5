import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';
import { LearnerEvent, LearnerEventCounts, LearnerEventStatus, PersonCounts } from '#contract/entities/learner-event.ts';
import { protocol } from '#contract/protocol.ts';
import { coursesHere } from '#server/features/learning/courses.rows.ts';
import { eventsOf } from '#server/features/learning/events.rows.ts';
import { builder, type GraphContext, page, paginator, searched, signedIn, slice } from '#server/graphql/builder.ts';
import { graphEnum, graphType } from '#server/graphql/entity-types.ts';

const Course = z.object({ id: Id, title: z.string(), short_title: z.string(), delivery: z.string(), renewal_months: z.nullable(z.int()) });

const eventsByRequest = new WeakMap<GraphContext, Promise<LearnerEvent[]>>();
/** The signed-in person's courses; computed once a request, however many fields ask for them. */
const ownEvents = async (context: GraphContext): Promise<readonly LearnerEvent[]> => {
  const { user } = signedIn(context);
  const events = eventsByRequest.get(context) ?? eventsOf(context.services.db, [user.uuid], context.services.now());
  eventsByRequest.set(context, events);
  return events;
};

/** The home page's content, and the courses available to choose. */
export const learningGraph = () => {
  const Status = graphEnum('EventStatus', LearnerEventStatus);
  const Events = paginator(
    graphType('Event', LearnerEvent, {
      description: 'A course on a person’s home page: to do, or done.',
      about: {
        estimated_duration: 'Minutes.',
        compliance_type: 'primary, secondary, or none where the course is not required.',
        focused: 'Ours: their organisation wants it seen to first.',
        reason: 'Ours: why it stands so, in words.',
        pathway: 'Ours: the pathway that it is a step of, where it is still to be done for that.',
        asked_version: 'Ours: the version that they are asked to take, because the course has changed since they completed it.',
        attempt_rev: 'Ours: the rev of that attempt, so that a device knows whether it has all that was done in it.',
        needs_licence: 'Ours: it can be taken only with a licence, and they have none. There is no content_id then.',
      },
    }),
  );
  const Counts = graphType('EventCounts', LearnerEventCounts);
  graphType('PersonCounts', PersonCounts, {
    description: 'Ours.',
    about: {
      required: 'How many courses their job roles require of them now.',
      required_overdue: 'How many of those are Expired or Missing, as every figure counts them.',
    },
  });
  const Courses = paginator(graphType('Course', Course));

  builder.queryFields((t) => ({
    eventCounts: t.field({
      type: Counts,
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
      args: { first: t.arg.int(), page: t.arg.int(), status: t.arg({ type: Status }) },
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
        const rows = await coursesHere(context.services.db, signedIn(context), searched(args.search));
        return slice(rows, page({ first: args.first ?? protocol.coursesPageSize, page: args.page }));
      },
    }),
  }));
};
