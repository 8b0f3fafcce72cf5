import { useParams } from 'react-router-dom';
import type { CourseCategory } from '#contract/entities/assignment.ts';
import { call } from '#src/api/call.ts';
import { NamedThings } from '#src/features/assignments/named-things.tsx';
import { countOf } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconBook } from '#src/ui/icons.tsx';
import { coursesOf, MultiPicker } from '#src/screens/pickers.tsx';

type Ref = { id: string; name: string };

/** The headings under which an organisation's courses are found. */
export const Component = () => {
  const { slug = '' } = useParams();
  const thing = useRead('GET /entities/{slug}/course-categories', { params: { slug } });
  return (
    <NamedThings<CourseCategory>
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
      may={{ add: true, change: true, name: true }}
      facts={(c) => (c.courses.length === 0 ? 'No courses' : `${countOf(c.courses.length, 'course')}: ${c.courses.map((k) => k.name).join(', ')}`)}
      more={{
        of: (c) => ({ courses: c.courses }),
        fields: (value, set, errors) => (
          <MultiPicker
            label="Courses"
            from={coursesOf(slug)}
            value={(value as { courses: Ref[] }).courses}
            error={errors.course_ids}
            onChange={(to) => set({ courses: to })}
          />
        ),
      }}
      create={(name) => call('POST /entities/{slug}/course-categories', { params: { slug }, body: { name } })}
      update={(id, change) => {
        const { courses: chosen, ...others } = change as { courses: Ref[]; name?: string };
        return call('PATCH /entities/{slug}/course-categories/{id}', {
          params: { slug, id },
          body: { ...others, course_ids: chosen.map((c) => c.id) },
        });
      }}
      remove={(id) => call('DELETE /entities/{slug}/course-categories/{id}', { params: { slug, id } })}
    />
  );
};
