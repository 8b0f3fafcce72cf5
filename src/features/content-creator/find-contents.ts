import { authoredTypes } from '#contract/entities/authored-content.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import type { Find } from '#src/api/find.ts';
import { contentWords } from '#src/features/content-creator/content-words.ts';

const most = 20;
/** Contents of every type that authors make, by title or course. */
export const findContents: Find = async (search, signal) => {
  const answers = await Promise.all(
    authoredTypes.map(async (type) => ({
      type,
      answer: await call('GET /content', { query: { type, search, per_page: most } }, { signal, quiet: true }),
    })),
  );
  const options = answers.flatMap(({ type, answer }) =>
    answer.kind === 'ok' ? answer.data.map((c) => ({ id: c.id, name: c.title, where: `${contentWords[type].title}, ${c.course.title}` })) : [],
  );
  const failed = answers.map(({ answer }) => answer).find((answer) => answer.kind !== 'ok');
  return failed ? { failed: sentenceOf(failed) } : { options };
};
