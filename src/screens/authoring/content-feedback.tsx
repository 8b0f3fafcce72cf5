import layout from '#src/ui/page.module.css';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { AnswerDialog, FeedbackItem } from '#src/screens/authoring/feedback-item.tsx';
import { FeedbackSummary } from '#src/screens/authoring/feedback-summary.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useRead, useReadOf } from '#src/screens/use-read.ts';
import { IconMail } from '#src/ui/icons.tsx';
import { Pages } from '#src/ui/pages.tsx';
import { EmptyState } from '#src/ui/states.tsx';

const shownAtOnce = 10;
/** Learners' feedback on a content: ratings and comments, open ones first. */
export const ContentFeedback = ({ content: { id } }: { content: { id: string } }) => {
  const [page, setPage] = useState(1);
  const summary = useRead('GET /learner-feedback/summary', { query: { content_id: id } });
  const { state, retry } = useReadOf(
    ['learner-feedback', id, page],
    (signal) => call('GET /learner-feedback', { query: { content_id: id, page, per_page: shownAtOnce } }, { signal, quiet: true }),
    { keepShown: true },
  );
  if (state.kind !== 'loaded' || summary.state.kind !== 'loaded')
    return (
      <ReadPlaceholder
        state={state.kind === 'loaded' ? summary.state : state}
        retry={() => {
          retry();
          summary.retry();
        }}
        loading="Loading the feedback"
        offline="What learners say is read with a connection."
      />
    );
  return (
    <>
      <FeedbackSummary summary={summary.state.data} />
      {state.data.length === 0 ? (
        <EmptyState icon={<IconMail size={36} />} title="No comments, questions or problems yet">
          Learners can ask and report from every page of a course. What they write is shown here.
        </EmptyState>
      ) : (
        <>
          <ul className={layout.list} aria-label="What learners wrote">
            {state.data.map((item) => (
              <li key={item.id}>
                <FeedbackItem item={item} />
              </li>
            ))}
          </ul>
          <Pages last={state.meta?.last_page ?? 1} page={page} onGoTo={setPage} />
          <Link to={`${pathTo('content-creator-feedback')}?content_id=${id}`}>Search and filter it</Link>
        </>
      )}
      <AnswerDialog onChange={retry} />
    </>
  );
};
