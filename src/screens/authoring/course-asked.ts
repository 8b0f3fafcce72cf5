import { useSearchParams } from 'react-router-dom';
import { call } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import { useReadOf } from '#src/screens/use-read.ts';

/** The course in the address for which something is added; null if there is none, or it cannot be loaded. */
export const useCourseAsked = (fromAddress: boolean): Option | null | 'loading' => {
  const [query] = useSearchParams();
  const id = fromAddress ? query.get('course') : null;
  const { state } = useReadOf<Option | null>(['course-asked', id], async (signal) => {
    if (id === null) return { kind: 'ok', data: null };
    const answer = await call('GET /courses', { query: { ids: id } }, { signal, quiet: true });
    const course = answer.kind === 'ok' ? answer.data[0] : undefined;
    return { kind: 'ok', data: course ? { id: course.id, name: course.title } : null };
  });
  if (id === null) return null;
  return state.kind === 'loaded' ? state.data : state.kind === 'loading' ? 'loading' : null;
};
