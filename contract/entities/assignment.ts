import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';

/** Whom an assigned course or content applies to. Empty lists mean everyone in the organisation and below. */
export const assignmentFields = {
  role_ids: z.array(Id).check(z.maxLength(500)),
  type_ids: z.array(Id).check(z.maxLength(500)),
};

/** A course available to an organisation: its own, or assigned to it or to one above it. */
export const EntityCourse = z.object({
  id: Id,
  title: z.string(),
  published: z.boolean(),
  /** The owner, and the organisation through which it is available: this one or one above. */
  owner: z.object({ id: Id, name: z.string() }),
  from: EntityRef,
  /** Whether it was assigned to this organisation itself, so that the assignment can be changed or removed here. */
  given_here: z.boolean(),
  roles: z.array(Ref),
  types: z.array(Ref),
  categories: z.array(Ref),
  contents: Count,
  added_at: z.nullable(Instant),
});
export type EntityCourse = z.infer<typeof EntityCourse>;

/** A content assigned to an organisation directly. */
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

/** A course category. An organisation uses its own and those of the organisations above it. */
export const categoryFields = { name: NeededLine(200, 'Give the category a name.') };
export const CourseCategory = z.object({ id: Id, name: z.string(), entity: EntityRef, editable: z.boolean(), courses: z.array(Ref) });
export type CourseCategory = z.infer<typeof CourseCategory>;

/** A tag on organisations and people. Those that the caller cannot see are neither listed nor counted. */
export const tagFields = {
  name: NeededLine(200, 'Give the tag a name.'),
  entity_ids: z.array(Id).check(z.maxLength(5000)),
  user_ids: z.array(Id).check(z.maxLength(5000)),
};
export const Tag = z.object({ id: Id, name: z.string(), entity: EntityRef, editable: z.boolean(), entities: z.array(Ref), people: z.array(Ref) });
export type Tag = z.infer<typeof Tag>;

/** A course that a person may take: whether it is required, and their compliance status. */
export const AvailableCourse = z.object({
  id: Id,
  title: z.string(),
  categories: z.array(z.string()),
  /** The content that is started on a device; null for classroom training. */
  content_id: z.nullable(Id),
  estimated_duration: z.nullable(z.number()),
  required: z.boolean(),
  completed_at: z.nullable(Instant),
  expires_at: z.nullable(Instant),
});
export type AvailableCourse = z.infer<typeof AvailableCourse>;

/** Classroom training that a person may join. */
export const AvailableTraining = z.object({
  id: Id,
  title: z.string(),
  course: Ref,
  required: z.boolean(),
  completed_at: z.nullable(Instant),
  expires_at: z.nullable(Instant),
});
export type AvailableTraining = z.infer<typeof AvailableTraining>;
