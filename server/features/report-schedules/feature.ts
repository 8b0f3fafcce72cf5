import { scheduleEndpoints } from '#contract/api/report-schedules.ts';
import { feature } from '#server/feature.ts';
import { scheduleHandlers } from '#server/features/report-schedules/schedules.rest.ts';

export const reportSchedules = feature(scheduleEndpoints, scheduleHandlers);
