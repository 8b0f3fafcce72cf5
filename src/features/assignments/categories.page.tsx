import { useParams } from 'react-router-dom';
import { updateCategory } from '#contract/api/assignments.ts';
import type { CourseCategory } from '#contract/entities/assignment.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { NamedList } from '#src/screens/named-list.tsx';
import { countOf } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconBook } from '#src/ui/icons.tsx';
import { coursesOf } from '#src/screens/pickers.tsx';

/** The categories of an organisation's courses. */
export const Component = () => {
  const { slug = '' } = useParams();
  const thing = useRead('GET /entities/{slug}/course-categories', { params: { slug } });
  return (
    <NamedList
      slug={slug}
      thing={thing}
      icon={<IconBook size={36} />}
      words={{
        ...{
          title: 'Course categories',
          one: 'category',
          many: 'categories',
          about: 'Headings under which people find optional courses.',
        },
        first: 'Add one, and choose its courses.',
      }}
      may={{ add: true, name: true, remove: true }}
      said={{ created: texts.successfullyUpdated, updated: texts.successfullyUpdated, deleted: texts.successfullyUpdated }}
      facts={(c: CourseCategory) => [
        c.courses.length === 0 ? 'No courses' : `${countOf(c.courses.length, 'course')}: ${c.courses.map((k) => k.name).join(', ')}`,
      ]}
      schema={updateCategory.body}
      choices={[{ field: 'course_ids', label: 'Courses', from: coursesOf(slug), of: (c) => c.courses }]}
      create={({ name = '' }) => call('POST /entities/{slug}/course-categories', { params: { slug }, body: { name } })}
      update={(id, body) => call('PATCH /entities/{slug}/course-categories/{id}', { params: { slug, id }, body })}
      remove={(id) => call('DELETE /entities/{slug}/course-categories/{id}', { params: { slug, id } })}
    />
  );
};
