import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { ReportType } from '#contract/api/report-presets.ts';
import { Choice, Count, Email, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';
import { ChosenNames, GoneChoice } from '#contract/reports/chosen.ts';
import { reportFormats } from '#contract/reports/report.ts';
import { frequencies } from '#contract/rules/next-run.ts';

export const scheduleLimits = { recipients: 500, chosen: 50, linkDays: 30, runs: 20, perPlace: 200 } as const;
const several = <S extends z.ZodMiniType>(item: S) =>
  z._default(z.array(item).check(z.maxLength(scheduleLimits.chosen, `Choose no more than ${scheduleLimits.chosen}.`)), []);
const weekday = z.int('Choose a day.').check(z.gte(1, 'Choose a day.'), z.lte(7, 'Choose a day.'));
const monthDay = z.int('Enter a day from 1 to 31.').check(z.gte(1, 'Enter a day from 1 to 31.'), z.lte(31, 'Enter a day from 1 to 31.'));
const fields = {
  name: NeededLine(100, 'Enter a name.'),
  report_type: ReportType,
  format: z.enum(reportFormats),
  /** A link that needs a sign-in, instead of the file, for this many days. */
  as_link: z.boolean(),
  link_days: z._default(
    z
      .int('Enter a number of days.')
      .check(z.gte(1, 'Enter at least 1 day.'), z.lte(scheduleLimits.linkDays, `Enter no more than ${scheduleLimits.linkDays} days.`)),
    7,
  ),
  frequency: z.enum(frequencies),
  weekday: z._default(z.nullable(weekday), null),
  month_day: z._default(z.nullable(monthDay), null),
  /** In the organisation’s time zone. */
  send_at: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, for example 07:00.')),
  addresses: several(Email),
};
/** A report that is sent regularly. `filter` is that of the report’s own call. */
export const ScheduleFields = z
  .object({
    ...fields,
    filter: z.record(z.string(), z.unknown()),
    user_ids: several(Choice('Choose a person.')),
    role_ids: several(Choice('Choose a job role.')),
    /** The version that was edited; an older one is answered with 409 and the current one. */
    rev: z.optional(Count),
  })
  .check(
    z.refine((s) => s.frequency !== 'weekly' || s.weekday !== null, { path: ['weekday'], error: 'Choose a day.' }),
    z.refine((s) => s.frequency !== 'monthly' || s.month_day !== null, { path: ['month_day'], error: 'Enter a day from 1 to 31.' }),
    z.refine((s) => s.user_ids.length + s.role_ids.length + s.addresses.length > 0, { path: ['user_ids'], error: 'Choose at least one recipient.' }),
    z.refine((s) => !s.as_link || s.addresses.length === 0, {
      path: ['addresses'],
      error: 'A link needs a sign-in: choose people and job roles, or send the file itself.',
    }),
  );

export const deliveryStates = { waiting: 'Being made', sent: 'Sent', failed: 'Failed', stopped: 'Cancelled' } as const;
export const deliveryStateNames = Object.keys(deliveryStates) as (keyof typeof deliveryStates)[];
/** One delivery of a report. */
export const Delivery = z.object({
  id: Id,
  title: z.string(),
  report_type: ReportType,
  format: z.enum(reportFormats),
  state: z.enum(deliveryStateNames),
  /** Why it failed, or who was left out. */
  problem: z.nullable(z.string()),
  due_at: Instant,
  ended_at: z.nullable(Instant),
  recipients: Count,
  rows: z.nullable(Count),
  bytes: z.nullable(Count),
  /** Until when its file can be downloaded here; null if there is none. */
  expires_at: z.nullable(Instant),
});
export type Delivery = z.output<typeof Delivery>;

export const Schedule = z.object({
  ...{ id: Id, ...fields, rev: Count },
  filter: z.record(z.string(), z.unknown()),
  names: ChosenNames,
  gone: z.array(GoneChoice),
  users: z.array(Ref),
  roles: z.array(Ref),
  /** The owner: what it sends is what they may see. */
  owner: Ref,
  organisation: Ref,
  time_zone: z.string(),
  /** Null while it is paused or stopped. */
  next_at: z.nullable(Instant),
  paused: z.boolean(),
  /** Why it no longer sends anything, until somebody saves it again. */
  stopped_why: z.nullable(z.string()),
  /** The latest deliveries, newest first; in a list only the last. */
  deliveries: z.array(Delivery),
});
export type Schedule = z.output<typeof Schedule>;

const common = { ours: true, access: ['report.schedules'], offline: 'online-only' } as const;
const reading = ['forbidden', 'unauthenticated'] as const;
const writing = ['invalid_input', 'not_found', 'csrf_mismatch', ...reading] as const;
const params = z.object({ id: Id });
const path = '/reports/schedules';

export const listSchedules = endpoint({
  ...{ ...common, id: 'listSchedules', method: 'GET', path, response: z.array(Schedule), errors: reading },
  summary: 'Lists the schedules of the caller’s organisation and below it, by name.',
});
export const getSchedule = endpoint({
  ...{ ...common, id: 'getSchedule', method: 'GET', path: '/reports/schedules/{id}', params, response: Schedule, errors: ['not_found', ...reading] },
  summary: `Returns a schedule with its last ${scheduleLimits.runs} sendings.`,
});
export const createSchedule = endpoint({
  ...{ ...common, id: 'createSchedule', method: 'POST', path, body: ScheduleFields, response: Schedule, status: 201, errors: writing },
  summary: 'Adds a schedule. It sends what the caller may see, to people and job roles of the organisation and to addresses within its domains.',
});
export const updateSchedule = endpoint({
  ...{
    ...common,
    id: 'updateSchedule',
    method: 'PATCH',
    path: '/reports/schedules/{id}',
    params,
    body: ScheduleFields,
    response: Schedule,
    errors: ['rev_mismatch', ...writing],
  },
  summary: 'Changes a schedule. The caller becomes its owner: it sends what they may see. One that was stopped starts again.',
});
export const pauseSchedule = endpoint({
  ...{ ...common, id: 'pauseSchedule', method: 'POST', path: '/reports/schedules/{id}/pause', params },
  ...{ body: z.object({ paused: z.boolean() }), response: Schedule, errors: writing },
  summary: 'Pauses a schedule, or lets it go on. What was missed meanwhile is not sent.',
});
export const sendSchedule = endpoint({
  ...{
    ...common,
    id: 'sendSchedule',
    method: 'POST',
    path: '/reports/schedules/{id}/send',
    params,
    response: Schedule,
    errors: ['in_use', ...writing],
  },
  summary: 'Sends what a schedule sends now, once more. Refused while it is being sent already.',
});
export const deleteSchedule = endpoint({
  ...{ ...common, id: 'deleteSchedule', method: 'DELETE', path: '/reports/schedules/{id}', params, status: 204, errors: writing },
  summary: 'Deletes a schedule, with its history and the files of its links.',
});
const received = { ours: true, access: 'signed-in', offline: 'online-only', params, errors: ['not_found', 'unauthenticated'] } as const;
export const getDelivery = endpoint({
  ...{ ...received, id: 'getDelivery', method: 'GET', path: '/reports/deliveries/{id}', response: Delivery },
  summary: 'Returns a report that was sent to the caller as a link.',
});
export const deliveryFile = endpoint({
  ...{ ...received, id: 'deliveryFile', method: 'GET', path: '/reports/deliveries/{id}/file', file: 'application/octet-stream' },
  errors: ['not_found', 'forbidden', 'link_expired', 'unauthenticated'],
  summary:
    'The file of such a report: for its recipients and the person who sent it, as long as they belong to the organisation and may read the report, until it expires.',
});

export const scheduleEndpoints = [
  listSchedules,
  getSchedule,
  createSchedule,
  updateSchedule,
  pauseSchedule,
  sendSchedule,
  deleteSchedule,
  getDelivery,
  deliveryFile,
] as const;
