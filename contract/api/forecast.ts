import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { Id, Slug } from '#contract/entities/fields.ts';
import { Forecast, ForecastLine } from '#contract/entities/forecast.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { forecastDays, forecastGroups } from '#contract/rules/forecast.ts';

/** Permissions to see other people's compliance. */
export const seesForecasts: readonly PermissionSlug[] = ['user.search', 'record.search'];
/** Filter: people of this organisation or below it, with this job role, required to do this course. None: everybody the caller can see. */
const subjectQuery = { entity: z.optional(Slug), role_id: z.optional(Id), course_id: z.optional(Id) };
const errors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'] as const;

export const forecast = endpoint({
  ...{ id: 'forecast', method: 'GET', path: '/forecast', ours: true, query: z.object(subjectQuery), response: Forecast, errors },
  ...{ access: seesForecasts, offline: 'online-only' },
  summary:
    'Returns how many people turn amber and red for the courses they are required to do in 30, 60 and 90 days if nothing is done, how many of them have a place on a session by then, who starts by then, and the sessions of the course to come. For an organisation and all below it, a job role or a course.',
});
export const forecastPeople = endpoint({
  ...{ id: 'forecastPeople', method: 'GET', path: '/forecast/people', ours: true, response: z.array(ForecastLine), errors },
  ...{ access: seesForecasts, offline: 'online-only' },
  query: z.object({
    ...{ ...pageQuery, ...subjectQuery },
    days: z._default(z.pipe(z.coerce.number(), z.literal(forecastDays)), 90),
    group: z._default(z.enum(forecastGroups), 'red'),
  }),
  summary: 'Lists the people behind a number of a forecast, those whose status changes first at the top. `search` finds people and courses.',
});
export const personForecast = endpoint({
  ...{ id: 'personForecast', method: 'GET', path: '/users/{id}/forecast', ours: true, params: z.object({ id: Id }) },
  ...{ response: z.array(ForecastLine), errors: ['not_found', 'unauthenticated'], access: 'signed-in', offline: 'online-only' },
  summary: 'Lists the courses that turn amber or red for a person in the next 90 days, the first at the top.',
});

export const forecastEndpoints = [forecast, forecastPeople, personForecast] as const;
