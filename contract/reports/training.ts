import * as z from 'zod/mini';
import { fewestAnswers } from '#contract/entities/evaluation.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Day, Id, Ref } from '#contract/entities/fields.ts';
import { WallTime } from '#contract/entities/training-session.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { monthWords } from '#contract/rules/days.ts';
import { ReportFilter, type ReportField } from '#contract/reports/filter.ts';
import { describeFilter } from '#contract/reports/filter-words.ts';
import { type ReportTone, report } from '#contract/reports/report.ts';

/** Who reads how training is used: people who manage or request bookings, at a provider or a client. Each sees their own people. */
const access: readonly PermissionSlug[] = ['booking.create', 'booking.manage', 'booking.update', 'booking.request'];
const inPeriod = ['entities', 'courses', 'period', 'from_date', 'to_date'] as const satisfies readonly ReportField[];
const common = { ours: true, access, filter: ReportFilter } as const;

/** The sessions of a course at a venue of one provider. For another organisation's sessions, only one’s own people are counted, and no places. */
export const SessionUse = z.object({
  ...{ id: z.string(), provider: EntityRef, venue: z.string(), course: Ref, sessions: Count, places: z.nullable(Count), taken: Count },
  /** Share of the places that are taken, in whole per cent. */
  filled: z.nullable(Count),
  ...{ came: Count, no_shows: Count, cancelled: Count },
});
export type SessionUse = z.infer<typeof SessionUse>;
export const sessionUseReport = report({
  ...{ ...common, id: 'training-sessions', path: '/reports/training-sessions', fileName: 'training sessions', fields: inPeriod },
  title: () => 'Training sessions: utilisation',
  summary:
    'How training sessions of the period are used, by provider, venue and course: how many were held, their places, how many were taken, who came and who did not by the registers as they are now, and how many were cancelled. Of the sessions of others one’s own people are counted.',
  describe: (filter, names = null) => describeFilter(filter, inPeriod, names),
  row: SessionUse,
  sort: 'provider',
  columns: [
    { head: 'Provider', type: 'text', width: 26, sort: 'provider', value: (r) => r.provider.name },
    { head: 'Venue', type: 'text', width: 24, sort: 'venue', value: (r) => r.venue },
    { head: 'Course', type: 'text', width: 30, sort: 'course', value: (r) => r.course.name },
    { head: 'Sessions', type: 'number', width: 10, sort: 'sessions', value: (r) => r.sessions },
    { head: 'Places', type: 'number', width: 9, sort: 'places', value: (r) => r.places },
    { head: 'Taken', type: 'number', width: 9, sort: 'taken', value: (r) => r.taken },
    { head: 'Filled', type: 'percent', width: 9, sort: 'filled', value: (r) => r.filled },
    { head: 'Came', type: 'number', width: 9, sort: 'came', value: (r) => r.came },
    { head: 'No-shows', type: 'number', width: 11, sort: 'no_shows', value: (r) => r.no_shows },
    { head: 'Cancelled', type: 'number', width: 11, sort: 'cancelled', value: (r) => r.cancelled },
  ],
});

/** A no-show: somebody with a place on a session who did not attend. `booking_id`: their booking; null if they were added to the list directly. */
export const NoShow = z.object({
  ...{ id: Id, user: Ref, place: z.string(), course: Ref, session_id: Id, on: Day, start: WallTime, venue: z.string(), provider: EntityRef },
  ...{ booked_by: z.nullable(Ref), booking_id: z.nullable(Id) },
});
export type NoShow = z.infer<typeof NoShow>;
export const noShowsReport = report({
  ...{ ...common, id: 'no-shows', path: '/reports/no-shows', fileName: 'no-shows', fields: inPeriod },
  title: () => 'No-shows',
  summary:
    'Who had a place on a training session of the period and did not come, by the registers as they are now, with who booked them; latest first.',
  describe: (filter, names = null) => describeFilter(filter, inPeriod, names),
  row: NoShow,
  sort: '-on',
  columns: [
    { head: 'Name', type: 'text', width: 28, sort: 'name', value: (r) => r.user.name },
    { head: 'Organisation', type: 'text', width: 26, sort: 'place', value: (r) => r.place },
    { head: 'Course', type: 'text', width: 30, sort: 'course', value: (r) => r.course.name },
    { head: 'Session', type: 'day', width: 14, sort: 'on', value: (r) => r.on },
    { head: 'Begins', type: 'text', width: 9, optional: true, value: (r) => r.start },
    { head: 'Venue', type: 'text', width: 24, value: (r) => r.venue },
    { head: 'Provider', type: 'text', width: 26, sort: 'provider', value: (r) => r.provider.name },
    { head: 'Booked by', type: 'text', width: 24, sort: 'booked_by', value: (r) => r.booked_by?.name ?? null },
  ],
});

/**
 * What an organisation bought from a provider in a month: sessions with its people, who of them had a place, attended or not by the current
 * registers, and the net amount spent. `net_pence` is null for callers who may not see amounts.
 */
export const TrainingMonth = z.object({
  ...{ id: z.string(), month: z.string(), provider: EntityRef, entity: EntityRef },
  ...{ sessions: Count, places: Count, came: Count, no_shows: Count, net_pence: z.nullable(Count) },
});
export type TrainingMonth = z.infer<typeof TrainingMonth>;
export const trainingMonthsReport = report({
  ...{ ...common, id: 'training-months', path: '/reports/training-months', fileName: 'training by month', fields: inPeriod },
  title: () => 'Training by month',
  summary:
    'Face-to-face training by month, provider and organisation: how many sessions people of the organisation were on, how many places they had, who came, who did not by the registers as they are now, and what the organisation spent, net, by approved orders and booked sessions that were held.',
  describe: (filter, names = null) => describeFilter(filter, inPeriod, names),
  row: TrainingMonth,
  sort: '-month',
  columns: [
    { head: 'Month', type: 'text', width: 12, sort: 'month', value: (r) => monthWords(r.month) },
    { head: 'Provider', type: 'text', width: 26, sort: 'provider', value: (r) => r.provider.name },
    { head: 'Organisation', type: 'text', width: 26, sort: 'entity', value: (r) => r.entity.name },
    { head: 'Sessions', type: 'number', width: 10, sort: 'sessions', value: (r) => r.sessions },
    { head: 'Places', type: 'number', width: 9, sort: 'places', value: (r) => r.places },
    { head: 'Came', type: 'number', width: 9, sort: 'came', value: (r) => r.came },
    { head: 'No-shows', type: 'number', width: 11, sort: 'no_shows', value: (r) => r.no_shows },
    { head: 'Spent, net', type: 'money', width: 13, sort: 'net', value: (r) => r.net_pence },
  ],
});

/** How full a coming session is. `few`: fewer than its minimum, with time left. */
const fillings = { risk: 'At risk', few: 'Few booked', full: 'Full', free: 'Places free' } as const;
const fillingTones: Record<string, ReportTone> = { 'At risk': 'danger', 'Few booked': 'warning', 'Places free': 'ok' };
export const ComingSessionRow = z.object({
  ...{ id: Id, course: Ref, provider: EntityRef, trainer: Ref, on: Day, start: WallTime, venue: z.string() },
  ...{ places: z.nullable(Count), taken: Count, free: z.nullable(Count), own: Count },
  /** People on the waiting list, of those whom the caller can see. */
  waiting: Count,
  state: z.enum(Object.keys(fillings) as (keyof typeof fillings)[]),
  /** Whether the caller can see its register. */
  register: z.boolean(),
});
export type ComingSessionRow = z.infer<typeof ComingSessionRow>;
const coming = ['entities', 'courses'] as const satisfies readonly ReportField[];
export const upcomingTrainingReport = report({
  ...{ ...common, id: 'upcoming-training', path: '/reports/upcoming-training', fileName: 'upcoming training', fields: coming },
  title: () => 'Upcoming training',
  summary: 'The training sessions to come that the caller holds or can book for their people, next first: free places, at risk, waiting.',
  describe: (filter, names = null) => describeFilter(filter, coming, names).replace(/^Everybody$/, 'All sessions to come'),
  row: ComingSessionRow,
  sort: 'on',
  columns: [
    { head: 'Day', type: 'day', width: 14, sort: 'on', value: (r) => r.on },
    { head: 'Begins', type: 'text', width: 9, value: (r) => r.start },
    { head: 'Course', type: 'text', width: 30, sort: 'course', value: (r) => r.course.name },
    { head: 'Venue', type: 'text', width: 24, sort: 'venue', value: (r) => r.venue },
    { head: 'Provider', type: 'text', width: 26, sort: 'provider', value: (r) => r.provider.name },
    { head: 'Trainer', type: 'text', width: 22, optional: true, value: (r) => r.trainer.name },
    { head: 'Places', type: 'number', width: 9, optional: true, value: (r) => r.places },
    { head: 'Taken', type: 'number', width: 9, sort: 'taken', value: (r) => r.taken },
    { head: 'Free', type: 'number', width: 9, sort: 'free', value: (r) => r.free },
    { head: 'Waiting', type: 'number', width: 10, sort: 'waiting', value: (r) => r.waiting },
    { head: 'Your people', type: 'number', width: 13, optional: true, sort: 'own', value: (r) => r.own },
    { head: 'State', type: 'text', width: 14, tones: fillingTones, value: (r) => fillings[r.state] },
  ],
});

/** The evaluations of the sessions of a course by one trainer. Averages are null if too few people answered. */
export const SessionsEvaluated = z.object({
  ...{ id: z.string(), provider: EntityRef, course: Ref, trainer: z.string(), sessions: Count, asked: Count, answered: Count },
  ...{ course_average: z.nullable(z.number()), trainer_average: z.nullable(z.number()) },
});
export type SessionsEvaluated = z.infer<typeof SessionsEvaluated>;
const average = (score: number | null) => score ?? 'Too few answers';
export const evaluationReport = report({
  ...{ ...common, id: 'training-evaluation', path: '/reports/training-evaluation', fileName: 'training evaluation', fields: inPeriod },
  title: () => 'Training evaluation',
  summary: `How the sessions of the period that the caller’s organisation and those below it held were found, by course and trainer: how many were there and are asked, how many answered, and the averages of at least ${fewestAnswers} ratings from 1 to 5. Without names and comments.`,
  describe: (filter, names = null) => describeFilter(filter, inPeriod, names),
  row: SessionsEvaluated,
  sort: 'course',
  columns: [
    { head: 'Course', type: 'text', width: 30, sort: 'course', value: (r) => r.course.name },
    { head: 'Trainer', type: 'text', width: 24, sort: 'trainer', value: (r) => r.trainer },
    { head: 'Provider', type: 'text', width: 26, sort: 'provider', value: (r) => r.provider.name },
    { head: 'Sessions', type: 'number', width: 10, sort: 'sessions', value: (r) => r.sessions },
    { head: 'Asked', type: 'number', width: 9, sort: 'asked', value: (r) => r.asked },
    { head: 'Answered', type: 'number', width: 11, sort: 'answered', value: (r) => r.answered },
    { head: 'Course, of 5', type: 'number', width: 15, sort: 'course_average', value: (r) => average(r.course_average) },
    { head: 'Trainer, of 5', type: 'number', width: 15, sort: 'trainer_average', value: (r) => average(r.trainer_average) },
  ],
});

/** An invoice line: what an organisation ordered from a provider in a month, or a session of a booking that took place in it. */
export const SpendLine = z.object({
  ...{
    id: Id,
    order_id: z.nullable(Id),
    booking_id: z.nullable(Id),
    number: z.string(),
    provider: EntityRef,
    entity: EntityRef,
    on: Day,
    month: z.string(),
    title: z.string(),
  },
  ...{ quantity: Count, net_pence: Count, vat_pence: Count, gross_pence: Count },
});
export type SpendLine = z.infer<typeof SpendLine>;
export const trainingSpendReport = report({
  ...{ ours: true, id: 'training-spend', path: '/reports/training-spend', fileName: 'training spend', fields: inPeriod, filter: ReportFilter },
  access: ['booking.create', 'booking.manage', 'entity.update', 'training_company.update'],
  title: () => 'Training spend',
  summary:
    'The invoice lines of the orders approved and of the booked sessions held in the period, by provider, organisation and month: what the caller’s organisation and those below it have spent, and what clients owe it.',
  describe: (filter, names = null) => describeFilter(filter, inPeriod, names),
  row: SpendLine,
  sort: '-month',
  columns: [
    { head: 'Month', type: 'text', width: 10, sort: 'month', value: (r) => monthWords(r.month) },
    { head: 'Provider', type: 'text', width: 26, sort: 'provider', value: (r) => r.provider.name },
    { head: 'Organisation', type: 'text', width: 26, sort: 'entity', value: (r) => r.entity.name },
    { head: 'Order or booking', type: 'text', width: 18, sort: 'number', value: (r) => r.number },
    { head: 'Approved or held', type: 'day', width: 18, optional: true, value: (r) => r.on },
    { head: 'Item', type: 'text', width: 32, value: (r) => r.title },
    { head: 'Quantity', type: 'number', width: 10, value: (r) => r.quantity },
    { head: 'Net', type: 'money', width: 12, sort: 'net', value: (r) => r.net_pence },
    { head: 'VAT', type: 'money', width: 12, value: (r) => r.vat_pence },
    { head: 'Gross', type: 'money', width: 12, sort: 'gross', value: (r) => r.gross_pence },
  ],
});
