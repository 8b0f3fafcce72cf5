import { call, sentenceOf } from '#src/api/call.ts';
import type { Find } from '#src/api/find.ts';
import { contentWords, isAuthored } from '#src/screens/authoring/content-words.ts';

const most = 50;
/** Contents of every type that authors make, by title or course. */
export const findContents: Find = async (search, signal) => {
  const answer = await call('GET /content', { query: { search, per_page: most, sort: 'title' } }, { signal, quiet: true });
  if (answer.kind !== 'ok') return { failed: sentenceOf(answer) };
  return {
    options: answer.data.map((c) => ({
      ...{ id: c.id, name: c.title },
      where: [isAuthored(c.type) && contentWords[c.type].title, c.course.title].filter(Boolean).join(', '),
    })),
  };
};
