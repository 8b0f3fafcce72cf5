import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Answer, AnswerKey, Question } from '#contract/entities/content.ts';
import { writtenCounts } from '#contract/rules/answer-words.ts';
import { answerFeedback, isAnswered, isCorrect, partsToAnswer } from '#contract/rules/grade-answer.ts';
import classes from '#src/screens/asked-question.module.css';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import { QuestionInput, QuestionPicture } from '#src/ui/question-input.tsx';

type Asked = { id: string; question: Question; scored: boolean; key: AnswerKey | null };
/** A person's work and answers, and how they are stored. */
export type QuestionWork = {
  /** Read-only. */
  closed: boolean;
  /** The scored questions have been submitted: their answers are final. */
  handedIn: boolean;
  /** The work in a block, or the answer to a question, by its id. */
  answerOf: (id: string, scored: boolean) => Answer | undefined;
  keepAnswer: (id: string, scored: boolean, answer: Answer, words: string) => Promise<void>;
  /** Whether a block has been done, or a practice question checked; and records that it has. */
  isDone: (id: string) => boolean;
  setDone: (id: string, words: string) => void;
  /** A question as shown to this person, with its parts in their own order. */
  shown: (question: Question) => Question;
};

/** A question: a practice question is checked here, a scored one when it is submitted. */
export const AskedQuestion = ({ asked, work, onChecked }: { asked: Asked; work: QuestionWork; onChecked?: () => void }) => {
  const question = work.shown(asked.question);
  const answer = work.answerOf(asked.id, asked.scored);
  const [again, setAgain] = useState(false);
  const checked = !asked.scored && work.isDone(asked.id) && !again;
  const shownAnswer = answer ?? (question.kind === 'order' ? ({ kind: 'order', items: question.items.map((i) => i.id) } as const) : undefined);
  const ready = isAnswered(shownAnswer, partsToAnswer(question));
  const words = `Answered “${question.prompt}”`;
  const right = checked && asked.key ? isCorrect(answer, asked.key) : false;
  return (
    <section className={`app-card ${layout.stack} ${classes.box}`} aria-label={question.prompt || 'Question'}>
      <h2>{question.prompt}</h2>
      {question.picture && <QuestionPicture picture={question.picture} />}
      <QuestionInput
        question={question}
        answer={answer}
        disabled={work.closed || (asked.scored && work.handedIn)}
        onChange={(next) => {
          if (!asked.scored) setAgain(true);
          void work.keepAnswer(asked.id, asked.scored, next, words);
          if (asked.scored) onChecked?.();
        }}
      />
      {asked.scored ? (
        <p className={classes.state}>
          {work.handedIn
            ? 'Your answers are handed in.'
            : question.kind === 'free_text'
              ? writtenCounts(question)
              : 'This question counts. It is marked when you hand in your answers at the end.'}
        </p>
      ) : checked ? (
        <div className={`${layout.notice} ${classes.verdict}`} data-tone={right ? 'ok' : 'warning'} role="status">
          {right ? <IconCheck size={22} /> : <IconAlert size={22} />}
          <span>
            <strong>{question.kind === 'free_text' ? 'Thank you.' : right ? 'Right.' : 'Not right. You can change your answer.'}</strong>{' '}
            {asked.key && answerFeedback(answer, asked.key)}
          </span>
        </div>
      ) : (
        <Button
          variant="default"
          disabled={work.closed || !ready}
          onClick={() => {
            if (!answer && shownAnswer) void work.keepAnswer(asked.id, false, shownAnswer, words);
            work.setDone(asked.id, words);
            setAgain(false);
            onChecked?.();
          }}
        >
          Check
        </Button>
      )}
    </section>
  );
};
