import { Button, NativeSelect, Title } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { Answer, Block, ContentDocument, Quiz } from '#contract/entities/content.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { ActivityPreview } from '#src/screens/activity-preview.tsx';
import look from '#src/screens/block-view.module.css';
import { DesignPage } from '#src/screens/design/design-page.tsx';
import { PackagePreview } from '#src/screens/package-preview.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { TriedBlock } from '#src/screens/tried-block.tsx';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { QuestionInput, QuestionPicture } from '#src/ui/question-input.tsx';
import { Section } from '#src/ui/section.tsx';

/** The questions of a quiz, drawn as for a first try. They are not marked: the answer key stays on the server. */
const TriedQuiz = ({ quiz }: { quiz: Quiz }) => {
  const [answers, setAnswers] = useState<Record<string, Answer>>({});
  const [drawn] = useState(() => drawQuestions(quiz, 'preview', 1));
  return (
    <ol className={layout.list}>
      {drawn.map((question, i) => (
        <li key={question.id} className={`app-card ${layout.block}`}>
          <Title order={4}>
            <small className={layout.soft}>
              {i + 1} of {drawn.length}
            </small>
            {question.prompt}
          </Title>
          {question.picture && <QuestionPicture picture={question.picture} />}
          <QuestionInput
            question={question}
            answer={answers[question.id]}
            disabled={false}
            onChange={(answer) => setAnswers((before) => ({ ...before, [question.id]: answer }))}
          />
        </li>
      ))}
    </ol>
  );
};

/** A block of a topic; its activities run, and nothing is stored. */
const Part = ({ block }: { block: Block }) =>
  block.kind === 'h5p' ? (
    <figure className={look.activity}>
      <strong>{block.title}</strong>
      <ActivityPreview tree={block.package.tree} title={block.title} />
    </figure>
  ) : (
    <TriedBlock block={block} />
  );

type Page = { id: string; title: string; show: () => ReactNode };
/** The pages of a course, in a learner's order. */
const pagesOf = ({ design, lessons, quizzes, title }: ContentDocument, work: Parameters<typeof DesignPage>[0]['work']): Page[] =>
  design
    ? design.pages.map((page, i) => ({
        id: page.id,
        title: page.title || `Page ${i + 1}`,
        show: () => <DesignPage page={page} theme={design.theme} title={<h3>{page.title || title}</h3>} work={work} />,
      }))
    : [
        ...lessons.flatMap((lesson) =>
          lesson.topics
            .filter((topic) => !topic.hidden)
            .map((topic) => ({
              id: topic.id,
              title: lesson.title === topic.title ? topic.title : `${lesson.title}: ${topic.title}`,
              show: () => (
                <div className={look.topic}>
                  <h3>{topic.title}</h3>
                  {topic.blocks.map((block, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a published topic does not change while it is shown
                    <Part key={i} block={block} />
                  ))}
                </div>
              ),
            })),
        ),
        ...quizzes.map((quiz) => ({ id: quiz.id, title: quiz.title, show: () => <TriedQuiz quiz={quiz} /> })),
      ];

const Pages = ({ document }: { document: ContentDocument }) => {
  const [answers, setAnswers] = useState<Record<string, Answer>>({});
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const [index, setIndex] = useState(0);
  const pages = useMemo(
    () =>
      pagesOf(document, {
        ...{ person: 'Somebody who learns', closed: false, handedIn: false, shown: (question) => question },
        ...{ answerOf: (id) => answers[id], keepAnswer: async (id, _scored, answer) => setAnswers((before) => ({ ...before, [id]: answer })) },
        ...{ isDone: (id) => done.has(id), setDone: (id) => setDone((before) => new Set([...before, id])) },
      }),
    [document, answers, done],
  );
  const page = pages[index];
  if (!page) return <p className={layout.count}>It has no pages yet.</p>;
  const step = (direction: -1 | 1) => (
    <Button
      variant="default"
      aria-disabled={!pages[index + direction] || undefined}
      onClick={() => pages[index + direction] && setIndex(index + direction)}
    >
      {direction < 0 ? 'Page before' : 'Next page'}
    </Button>
  );
  return (
    <>
      <div className={shapes.controls}>
        <NativeSelect
          className={shapes.find}
          label={`Page ${index + 1} of ${pages.length}`}
          data={pages.map(({ title }, i) => ({ value: String(i), label: title }))}
          value={String(index)}
          onChange={(e) => setIndex(Number(e.currentTarget.value))}
        />
        <div className={layout.tools}>
          {step(-1)}
          {step(1)}
        </div>
      </div>
      <div key={page.id}>{page.show()}</div>
    </>
  );
};

/** A preview of an item's e-learning as a learner sees it. Nothing is stored, and no attempt is started. */
export const TryCourse = ({ id }: { id: string }) => {
  const { state, retry } = useRead('GET /marketplace-items/{id}/preview', { params: { id } });
  return (
    <Section title="Try it">
      <p className={layout.count}>You see what learners see. Nothing that you answer here is kept or marked.</p>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the course" offline="The preview needs a connection." />
      {state.kind === 'loaded' &&
        (state.data.package ? (
          <PackagePreview tree={state.data.package.tree} manifest={state.data.package.manifest} />
        ) : (
          <Pages document={state.data} />
        ))}
    </Section>
  );
};
