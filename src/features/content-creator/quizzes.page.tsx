import type { sorts } from '#contract/api/sorts.ts';
import type { QuizLine } from '#contract/entities/authored-parts.ts';
import { call } from '#src/api/call.ts';
import { partListPage } from '#src/features/content-creator/part-list.tsx';
import { ImportAsQuiz } from '#src/features/content-creator/question-import-dialogs.tsx';
import { publishedColumn } from '#src/screens/authoring/published-column.tsx';
import type { ListQuery } from '#src/screens/use-list.ts';
import { IconHelp } from '#src/ui/icons.tsx';

/** The quizzes of the organisation, newest first. */
export const Component = partListPage<QuizLine>({
  kind: 'quizzes',
  load: (query: ListQuery<(typeof sorts.parts)[number]>, signal) => call('GET /quizzes', { query }, { signal }),
  words: {
    ...{ title: 'Quizzes', one: 'a quiz', many: 'quizzes', looksAt: 'Title', none: 'No quizzes yet', failed: 'Failed to fetch quizzes.' },
    first: 'A quiz shows what people have understood. Make one, and add it to e-learning.',
  },
  add: 'Make a quiz',
  addAlso: <ImportAsQuiz />,
  icon: <IconHelp size={36} />,
  columns: [
    { id: 'questions', header: 'Questions', width: 110, grow: 0.2, align: 'end', value: (q) => q.question_count },
    { id: 'pass', header: 'Pass mark', width: 110, grow: 0.2, align: 'end', value: (q) => `${q.pass_percent} %` },
  ],
  last: [publishedColumn],
});
