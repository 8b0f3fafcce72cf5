import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Id, Instant, Name, Ref } from '#contract/entities/fields.ts';

/** For whom a course or a content is where it was given to: nobody named means everybody there and below. */
export const assignmentFields = {
  role_ids: z.array(Id).check(z.maxLength(500)),
  type_ids: z.array(Id).check(z.maxLength(500)),
};

/** A course that an organisation has: its own, or one that it, or one above it, was given. */
export const EntityCourse = z.object({
  /** The course. */
  id: Id,
  title: z.string(),
  published: z.boolean(),
  /** Who made it, and where it comes from for this organisation: itself, or one above it. */
  owner: z.object({ id: Id, name: z.string() }),
  from: EntityRef,
  /** Whether it was given to this very organisation, so that it can be changed here and taken away. */
  given_here: z.boolean(),
  roles: z.array(Ref),
  types: z.array(Ref),
  categories: z.array(Ref),
  contents: Count,
  added_at: z.nullable(Instant),
});
export type EntityCourse = z.infer<typeof EntityCourse>;

/** A content that was given to an organisation by itself. */
export const EntityContent = z.object({
  id: Id,
  title: z.string(),
  published: z.boolean(),
  course: z.object({ id: Id, title: z.string() }),
  owner: z.object({ id: Id, name: z.string() }),
  from: EntityRef,
  given_here: z.boolean(),
  roles: z.array(Ref),
  types: z.array(Ref),
  added_at: z.nullable(Instant),
});
export type EntityContent = z.infer<typeof EntityContent>;

/** A heading under which courses are found. An organisation uses its own and those of the organisations above it. */
export const categoryFields = { name: Name };
export const CourseCategory = z.object({ id: Id, name: z.string(), entity: EntityRef, editable: z.boolean(), courses: z.array(Ref) });
export type CourseCategory = z.infer<typeof CourseCategory>;

/** A word that organisations and people are marked with. Those that the caller cannot see are not named and not counted. */
export const tagFields = { name: Name, entity_ids: z.array(Id).check(z.maxLength(5000)), user_ids: z.array(Id).check(z.maxLength(5000)) };
export const Tag = z.object({ id: Id, name: z.string(), entity: EntityRef, editable: z.boolean(), entities: z.array(Ref), people: z.array(Ref) });
export type Tag = z.infer<typeof Tag>;

/** A course that somebody may take: whether it has to be done, and how they stand. */
export const AvailableCourse = z.object({
  id: Id,
  title: z.string(),
  categories: z.array(z.string()),
  /** What is begun with it on a device; null where it is taught in a room. */
  content_id: z.nullable(Id),
  estimated_duration: z.nullable(z.number()),
  required: z.boolean(),
  completed_at: z.nullable(Instant),
  expires_at: z.nullable(Instant),
});
export type AvailableCourse = z.infer<typeof AvailableCourse>;

/** Training in a room that somebody may come to. */
export const AvailableTraining = z.object({
  id: Id,
  title: z.string(),
  course: Ref,
  required: z.boolean(),
  completed_at: z.nullable(Instant),
  expires_at: z.nullable(Instant),
});
export type AvailableTraining = z.infer<typeof AvailableTraining>;
