import * as z from 'zod/mini';
import { Day, Id, Line, Ref } from '#contract/entities/fields.ts';
import { WallTime } from '#contract/entities/training-session.ts';

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
/** Working hours: a day of the week (1 is Monday), from and until. */
const Hours = z
  .object({ day: z.int().check(z.gte(1), z.lte(7)), from: WallTime, to: WallTime })
  .check(z.refine(({ from, to }) => to > from, { error: 'The end is before the beginning.', path: ['to'] }));
/** Days away, including the last. */
const Away = z
  .object({ from: Day, to: Day, reason: Line(200) })
  .check(z.refine(({ from, to }) => to >= from, { error: 'The last day is before the first.', path: ['to'] }));

/** Availability and competence for planning: empty `hours` means any time, empty `course_ids` any course. */
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
  /** Their sessions from today on, and the day of the next. */
  coming: z.int(),
  next: z.nullable(Day),
});
export type TrainerRow = z.infer<typeof TrainerRow>;
/** A trainer. `rev` grows with every change; 0 if nothing is recorded yet. */
export const Trainer = z.object({ ...TrainerRow.shape, hours: z.array(Hours), away: z.array(Away), rev: z.int() });
export type Trainer = z.infer<typeof Trainer>;

/** Conflicts and warnings for a trainer and a planned session: overlapping sessions, and what else to consider. */
export const TrainerCheck = z.object({
  /** `title` is null for a session of an organisation that the caller cannot see. */
  conflicts: z.array(z.object({ id: Id, title: z.nullable(z.string()), from: WallTime, to: WallTime })),
  warnings: z.array(z.string()),
});
export type TrainerCheck = z.infer<typeof TrainerCheck>;
