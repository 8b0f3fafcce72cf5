import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import type { CourseCategory } from '#contract/entities/assignment.ts';
import { call } from '#src/api/call.ts';
import { NamedThings } from '#src/features/assignments/named-things.tsx';
import { countOf } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconBook } from '#src/ui/icons.tsx';
import { Several } from '#src/ui/several.tsx';

type Ref = { id: string; name: string };

const pageSize = 100;
/** All courses of an organisation, page after page. */
const allCourses = async (slug: string): Promise<Ref[]> => {
  const all: Ref[] = [];
  for (let page = 1; ; page++) {
    const result = await call('GET /entities/{slug}/courses', { params: { slug }, query: { per_page: pageSize, page } }, { quiet: true });
    if (result.kind !== 'ok') return all;
    all.push(...result.data.map((c) => ({ id: c.id, name: c.title })));
    if (result.data.length < pageSize) return all;
  }
};

/** The headings under which an organisation's courses are found. */
export const Component = () => {
  const { slug = '' } = useParams();
  const thing = useRead('GET /entities/{slug}/course-categories', { params: { slug } });
  const [courses, setCourses] = useState<Ref[]>([]);
  useEffect(() => {
    let gone = false;
    void allCourses(slug).then((all) => {
      if (!gone) setCourses(all);
    });
    return () => {
      gone = true;
    };
  }, [slug]);
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
          <Several
            label="Courses"
            none="None"
            among={courses}
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
