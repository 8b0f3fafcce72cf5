import * as z from 'zod/mini';
import { Day, Id, Line, Ref } from '#contract/entities/fields.ts';
import { WallTime } from '#contract/entities/training-session.ts';

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
/** When they work: a day of the week, 1 for Monday, and from when until when. */
const Hours = z
  .object({ day: z.int().check(z.gte(1), z.lte(7)), from: WallTime, to: WallTime })
  .check(z.refine(({ from, to }) => to > from, { error: 'The end is before the beginning.', path: ['to'] }));
/** Days on which they are not there, the last one included. */
const Away = z
  .object({ from: Day, to: Day, reason: Line(200) })
  .check(z.refine(({ from, to }) => to >= from, { error: 'The last day is before the first.', path: ['to'] }));

/** What is planned by: nothing in `hours` is any time, nothing in `course_ids` is any course. */
export const TrainerFields = z.object({
  home_base: Line(200),
  course_ids: z.array(Id).check(z.maxLength(200, 'Choose no more than 200 courses.')),
  hours: z.array(Hours).check(z.maxLength(28, 'Use no more than 28 lines.')),
  away: z.array(Away).check(z.maxLength(100, 'Use no more than 100 lines.')),
});
export const TrainerRow = z.object({
  id: Id,
  name: z.string(),
  place: z.string(),
  home_base: z.string(),
  courses: z.array(Ref),
  /** Their sessions from today on, and the next day on which they give one. */
  coming: z.int(),
  next: z.nullable(Day),
});
export type TrainerRow = z.infer<typeof TrainerRow>;
/** A trainer. `rev` grows with every change; 0 where nothing is noted of them yet. */
export const Trainer = z.object({ ...TrainerRow.shape, hours: z.array(Hours), away: z.array(Away), rev: z.int() });
export type Trainer = z.infer<typeof Trainer>;

/** How a trainer stands with a session that is planned: what they give at the same time, and what else there is to know. */
export const TrainerCheck = z.object({
  /** `title` is null for a session of an organisation that the caller does not see. */
  conflicts: z.array(z.object({ id: Id, title: z.nullable(z.string()), from: WallTime, to: WallTime })),
  warnings: z.array(z.string()),
});
export type TrainerCheck = z.infer<typeof TrainerCheck>;
