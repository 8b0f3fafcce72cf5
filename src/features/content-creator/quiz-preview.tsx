import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Title } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '#contract/entities/content.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { learnersView, type QuestionDraft } from '#src/screens/authoring/question-draft.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { QuestionInput, QuestionPicture } from '#src/ui/question-input.tsx';

export const previewDialog = 'quiz-preview';
type Shown = { title: string; is_randomized: boolean; pass_percent: number; questions: readonly QuestionDraft[] };

const Preview = ({ title, is_randomized, pass_percent, questions }: Shown) => {
  const [answers, setAnswers] = useState<Record<string, Answer>>({});
  // Drawn as on a learner's device for a first try.
  const [drawn] = useState(() =>
    drawQuestions(
      { id: 'preview', title, is_randomized, pass_percent, question_qty: 0, max_tries: 0, questions: questions.map(learnersView) },
      'preview',
      1,
    ),
  );
  return (
    <>
      <p className={shapes.muted}>Nothing that you answer here is kept.</p>
      <ol className={`${layout.list} ${classes.previewList}`}>
        {drawn.map((question, i) => (
          <li key={question.id} className="app-card">
            <Title order={3} size="h4">
              <small className={shapes.muted}>
                {i + 1} of {drawn.length}
              </small>
              <br />
              {question.prompt || 'Nothing is asked yet'}
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
    </>
  );
};

/** A preview of the quiz as learners get it. */
export const QuizPreview = (quiz: Shown) => (
  <RegisteredModal name={previewDialog} title="As learners see it" width={760} scrollable>
    {() => <Preview {...quiz} />}
  </RegisteredModal>
);
