import { NativeSelect } from '@mantine/core';
import { type FeedbackLine, FeedbackKind } from '#contract/entities/feedback.ts';
import { call } from '#src/api/call.ts';
import { feedbackKindWords } from '#src/lib/feedback-words.ts';
import { AnswerDialog, FeedbackItem } from '#src/screens/authoring/feedback-item.tsx';
import { FeedbackSummary } from '#src/screens/authoring/feedback-summary.tsx';
import { findContents } from '#src/screens/authoring/find-contents.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconMail } from '#src/ui/icons.tsx';

const filters = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'unanswered', label: 'Comments not answered' },
  { value: 'answered', label: 'Done' },
] as const;
const filterOf = (name: string) => filters.map((f) => f.value).find((f): f is 'open' | 'unanswered' | 'answered' => f !== '' && f === name);
const narrowedBy = ['content_id', 'course_id', 'kind', 'rating'] as const;
const choiceOf = (more: Partial<Record<string, string>>) => {
  const kind = FeedbackKind.safeParse(more.kind).data;
  return { ...(kind ? { kind } : {}), ...(/^[1-5]$/.test(more.rating ?? '') ? { rating: Number(more.rating) } : {}) };
};
const ofMore = ({ content_id, course_id }: Partial<Record<string, string>>) => ({
  ...(content_id ? { content_id } : {}),
  ...(course_id ? { course_id } : {}),
});
const load: LoadPage<FeedbackLine> = ({ filter, sort: _, ...query }, signal, more) => {
  const state = filterOf(filter);
  return call('GET /learner-feedback', { query: { ...query, ...ofMore(more), ...choiceOf(more), ...(state ? { filter: state } : {}) } }, { signal });
};
const words = {
  title: 'Feedback',
  one: 'a piece of feedback',
  many: 'pieces of feedback',
  looksAt: 'Words, name or content',
  none: 'No feedback yet',
  first: 'What learners ask, report and write with their ratings is shown here.',
  failed: 'The feedback could not be loaded.',
};
const contents = { find: findContents, placeholder: 'All contents', nothing: 'No matching content' };

/** Feedback on all contents, open ones first. */
export const Component = () => {
  const list = useList<FeedbackLine>(['learner-feedback'], load, { narrowedBy });
  const filterQuery = ofMore(list.more);
  const summary = useRead('GET /learner-feedback/summary', { query: filterQuery });
  const known = summary.state.kind === 'loaded' ? summary.state.data : null;
  const choose = (field: (typeof narrowedBy)[number], value: string | undefined) => {
    const { [field]: _before, ...others } = list.more;
    list.setMore(value ? { ...others, [field]: value } : others);
  };
  return (
    <>
      <ListPage
        words={words}
        list={list}
        icon={<IconMail size={36} />}
        filters={filters}
        form={known && <FeedbackSummary summary={known} />}
        narrowing={
          <>
            <Picker
              from="courses"
              label="Course"
              placeholder="All courses"
              clearable
              clearButtonProps={{ 'aria-label': 'Course: all' }}
              value={known?.course ? { id: known.course.id, name: known.course.title } : null}
              onChange={(course) => choose('course_id', course?.id)}
            />
            <Picker
              from={contents}
              label="Content"
              clearable
              clearButtonProps={{ 'aria-label': 'Content: all' }}
              value={known?.content ? { id: known.content.id, name: known.content.title } : null}
              onChange={(content) => choose('content_id', content?.id)}
            />
            <NativeSelect
              label="Kind"
              value={list.more.kind ?? ''}
              onChange={(e) => choose('kind', e.currentTarget.value)}
              data={[{ value: '', label: 'All' }, ...FeedbackKind.options.map((kind) => ({ value: kind, label: `${feedbackKindWords[kind]}s` }))]}
            />
            <NativeSelect
              label="Rating"
              value={list.more.rating ?? ''}
              onChange={(e) => choose('rating', e.currentTarget.value)}
              data={[{ value: '', label: 'All' }, ...[5, 4, 3, 2, 1].map((n) => ({ value: String(n), label: `${n} of 5` }))]}
            />
          </>
        }
        row={(item) => <FeedbackItem item={item} named />}
      />
      <AnswerDialog
        onChange={() => {
          list.retry();
          summary.retry();
        }}
      />
    </>
  );
};
