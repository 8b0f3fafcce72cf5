import type { AuthoredType, Content } from '#contract/entities/authored-content.ts';
import type { Media } from '#contract/entities/content.ts';
import type { Option } from '#src/api/find.ts';
import { type FieldWords, sidesOf } from '#src/screens/authoring/sides.ts';
import { countOf } from '#src/lib/format.ts';

/** At least one of each group must be completed first. */
export type Group = { key: string; contents: Option[] };

/** The values of a content's form: outcomes are typed one per line. */
export const contentValues = (content: Content | null, course: Option | null) => ({
  course_id: (content ? { id: content.course.id, name: content.course.title } : course) as Option | null,
  ...{ title: content?.title ?? '', aims: content?.aims ?? '', outcomes: content?.outcomes.join('\n') ?? '' },
  estimated_duration: (content?.estimated_duration || '') as number | string,
  ...{ cpd_accredited: content?.cpd_accredited ?? false, admin_only: content?.admin_only ?? false, published: content?.published ?? true },
  ...{ image: (content?.image ?? null) as Media | null, image_alt: content?.image_alt ?? '' },
  prerequisites: (content?.prerequisites ?? []).map(
    ({ prerequisite_contents }, i): Group => ({ key: `${i}`, contents: prerequisite_contents.map(({ id, title }) => ({ id, name: title })) }),
  ),
});
export type ContentValues = ReturnType<typeof contentValues>;

/** The values for the server. An empty group is left out. */
export const contentInput = ({ course_id, outcomes, estimated_duration, image, prerequisites, ...typed }: ContentValues) => ({
  ...typed,
  course_id: course_id?.id,
  outcomes: outcomes.split('\n').filter((line) => line.trim() !== ''),
  estimated_duration: Number(estimated_duration) || 0,
  image: image && { hash: image.hash },
  prerequisites: prerequisites
    .filter(({ contents }) => contents.length > 0)
    .map(({ contents }) => ({ prerequisite_contents: contents.map(({ id }) => ({ id })) })),
});

/** A content's type and course cannot change. E-learning is published separately. */
export const contentChanges = (type: AuthoredType, { type: _type, course_id: _course, published, ...fields }: Record<string, unknown>) =>
  type === 'elearning' ? fields : { ...fields, published };

const words: FieldWords<ContentValues> = {
  title: ['Title'],
  aims: ['Aims'],
  outcomes: ['What people can do afterwards'],
  estimated_duration: ['Minutes'],
  cpd_accredited: ['Counts for CPD'],
  admin_only: ['Only entered by administrators'],
  published: ['Published'],
  image: ['Picture', (image) => (image ? 'a picture' : 'none')],
  image_alt: ['What the picture shows'],
  prerequisites: ['What has to be done first', (groups) => countOf(groups.length, 'group')],
};
/** The differences between two versions of a content. `ofType`: the fields of its type only, in words by their labels. */
export const contentSides = (mine: ContentValues, theirs: Content, ofType?: { mine: Record<string, string>; theirs: Record<string, string> }) => {
  const other = contentValues(theirs, null);
  // The keys of groups are meaningless.
  const bare = (values: ContentValues) => ({ ...values, prerequisites: values.prerequisites.map((g, i) => ({ ...g, key: `${i}` })) });
  const labels = Object.fromEntries(Object.keys(ofType?.mine ?? {}).map((label) => [label, [label]])) as FieldWords<object>;
  return sidesOf({ ...words, ...labels }, { ...bare(mine), ...ofType?.mine }, { ...bare(other), ...ofType?.theirs });
};
