import { Button } from '@mantine/core';
import { useCallback, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PlayedDesign, PlayedPage } from '#contract/entities/design.ts';
import { blocksOfPage, leftOnPage } from '#contract/rules/design.ts';
import classes from '#src/features/learning/attempt.module.css';
import { PlayerFrame } from '#src/features/learning/player-frame.tsx';
import { QuizView } from '#src/features/learning/quiz-view.tsx';
import { ResultView } from '#src/features/learning/result-view.tsx';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { useDesignWork } from '#src/features/learning/use-design-work.ts';
import { useReading } from '#src/features/learning/use-reading.ts';
import { DesignPage } from '#src/screens/design/design-page.tsx';
import design from '#src/screens/design/design.module.css';
import { IconChevronLeft, IconChevronRight } from '#src/ui/icons.tsx';

/** Lists what is still to do on the page, with links to the blocks. */
const PageView = ({ view, look, page }: { view: AttemptView; look: PlayedDesign; page: PlayedPage }) => {
  const work = useDesignWork(view, page.id);
  // A page counts as read once the next one is opened.
  const left = leftOnPage(page, (id) => id === page.id || work.isDone(id));
  return (
    <>
      <DesignPage page={page} theme={look.theme} work={work} title={<h1>{page.title}</h1>} />
      {left.length > 0 && (
        <section className={design.left} aria-label="Still to do on this page">
          <h2 className={design.leftTitle}>Still to do on this page</h2>
          <ul className={design.leftList}>
            {left.map(({ id, words }) => (
              <li key={id}>
                <Button
                  variant="subtle"
                  onClick={() => {
                    const block = document.getElementById(`block-${id}`);
                    block?.scrollIntoView({ block: 'start' });
                    block?.querySelector<HTMLElement>('button, input, video, textarea, select')?.focus({ preventScroll: true });
                  }}
                >
                  {words}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

/** Plays a designed content: one page at a time, with its scored questions submitted together at the end. */
export const DesignPlayer = ({ view, look }: { view: AttemptView; look: PlayedDesign }) => {
  const [query, setQuery] = useSearchParams();
  const quiz = view.document.quizzes[0];
  const isRead = (id: string) => view.progress.get(id)?.state === 'completed';
  const passed = view.submissions.some((s) => s.graded?.passed || s.graded === null);
  const left = look.pages.map((page) => ({ page, left: leftOnPage(page, isRead) }));
  const doneKeys = new Set([
    ...left.filter((p) => p.left.length === 0 && isRead(p.page.id)).map((p) => p.page.id),
    ...(quiz && passed ? [quiz.id] : []),
  ]);
  const missing = [
    ...left
      .filter((p) => p.left.length > 0)
      .map(({ page, left: open }) => ({ key: page.id, title: `${page.title}: ${open.map((o) => o.words).join('; ')}` })),
    ...(quiz && !passed ? [{ key: quiz.id, title: `${quiz.title}: hand them in and pass` }] : []),
  ];
  const keys = [...look.pages.map((p) => p.id), ...(quiz ? [quiz.id] : [])];

  const first = useRef<string | null>(null);
  if (first.current === null) {
    const last = view.attempt.last_topic_id;
    const worked = look.pages.find(
      (p) => p.id === last || blocksOfPage(p).some((b) => b.id === last || ('stops' in b && b.stops.some((s) => s.id === last))),
    );
    first.current = view.attempt.result ? 'result' : worked && !doneKeys.has(worked.id) ? worked.id : (missing[0]?.key ?? 'result');
  }
  const current = query.get('step') ?? first.current;
  const index = keys.indexOf(current);
  const page = look.pages.find((p) => p.id === current);
  const topic = useMemo(() => page && { id: page.id, title: page.title }, [page]);
  const note = useReading(view, topic);
  const goTo = useCallback(
    (key: string) => {
      setQuery({ step: key });
      window.scrollTo(0, 0);
    },
    [setQuery],
  );
  const next = async () => {
    if (page && !isRead(page.id)) {
      try {
        await note('completed', 100);
      } catch {
        return;
      }
    }
    goTo(keys[index + 1] ?? 'result');
  };
  const step = (key: string, title: string) => ({ key, title, child: false });
  return (
    <PlayerFrame
      view={view}
      sections={[
        { title: 'Pages', steps: look.pages.map((p) => step(p.id, p.title)) },
        ...(quiz ? [{ title: 'Questions', steps: [step(quiz.id, quiz.title)] }] : []),
      ]}
      doneKeys={doneKeys}
      current={current}
      onGoTo={goTo}
      footer={
        index >= 0 && (
          <>
            <Button
              variant="default"
              leftSection={<IconChevronLeft size={20} />}
              disabled={index === 0}
              onClick={() => goTo(keys[index - 1] ?? 'result')}
            >
              Back
            </Button>
            <span className={classes.place}>{page ? `Page ${index + 1} of ${look.pages.length}` : quiz?.title}</span>
            <Button rightSection={<IconChevronRight size={20} />} onClick={() => void next()}>
              Next
            </Button>
          </>
        )
      }
    >
      {page && <PageView key={page.id} view={view} look={look} page={page} />}
      {quiz && current === quiz.id && <QuizView view={view} quiz={quiz} onDone={() => void next()} />}
      {index < 0 && <ResultView view={view} missing={missing} onGoTo={goTo} />}
    </PlayerFrame>
  );
};
