import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FewCourses } from '#src/screens/few-courses.tsx';

const shown = (count: number) =>
  renderToStaticMarkup(<FewCourses courses={Array.from({ length: count }, (_, i) => ({ title: `C${i + 1}` }))} />).replace(/<[^>]*>/g, '');

it('names the first courses and counts the rest, and never counts one', () => {
  expect([1, 3, 4, 5, 18].map(shown)).toEqual(['C1', 'C1, C2, C3', 'C1, C2, C3, C4', 'C1, C2, C3 and 2 more', 'C1, C2, C3 and 15 more']);
});
