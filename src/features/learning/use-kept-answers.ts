import { useCallback, useEffect, useRef, useState } from 'react';
import type { Answer, ContentDocument } from '#contract/entities/content.ts';
import { triesLeft } from '#contract/rules/completion.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { saveAnswer } from '#src/offline/kinds/attempt/commands.ts';
import type { QuestionWork } from '#src/screens/asked-question.tsx';
import { notify } from '#src/ui/notify.ts';

/** The longest time before typed text is saved. */
const typingPauseMs = 400;
export const notKept = 'This could not be saved on this device. It may be full: remove a course you do not need, then do it again.';

type Kept = Omit<QuestionWork, 'isDone' | 'setDone'> & {
  /** Saves typed text immediately. */
  flush: () => void;
};
/**
 * Answers on a page of a designed content, or in a topic, stored on this device immediately and sent like all work in a course. Answers
 * to practice questions are stored under the id of the page or topic (decision 077).
 */
export const useKeptAnswers = (view: AttemptView, page: string): Kept => {
  const db = usePersonDb();
  const { attempt, document } = view;
  const quiz: ContentDocument['quizzes'][number] | undefined = document.design && document.quizzes[0];
  const tries = view.submissions.filter((s) => s.quiz_id === quiz?.id);
  const handedIn = quiz !== undefined && (tries.some((t) => t.graded === null || t.graded.passed) || triesLeft(quiz, tries) <= 0);
  const tryNo = handedIn ? tries.length : tries.length + 1;
  const [typed, setTyped] = useState<Record<string, Answer>>({});
  const timers = useRef(new Map<string, { timer: ReturnType<typeof setTimeout>; save: () => Promise<void> }>());
  const flush = useCallback(() => {
    for (const { timer, save } of [...timers.current.values()]) {
      clearTimeout(timer);
      void save();
    }
    timers.current.clear();
  }, []);
  useEffect(() => flush, [flush]);
  const placeOf = (id: string, scored: boolean) => ({ quiz_id: scored && quiz ? quiz.id : page, try_no: scored ? tryNo : 1, question_id: id });
  const keyOf = (id: string, scored: boolean) => {
    const place = placeOf(id, scored);
    return `${place.quiz_id}:${place.try_no}:${place.question_id}`;
  };
  return {
    flush,
    closed: attempt.closed,
    handedIn,
    answerOf: (id, scored) => typed[keyOf(id, scored)] ?? view.answers.get(keyOf(id, scored)),
    keepAnswer: async (id, scored, answer, words) => {
      const key = keyOf(id, scored);
      const place = placeOf(id, scored);
      setTyped((before) => ({ ...before, [key]: answer }));
      clearTimeout(timers.current.get(key)?.timer);
      const save = () => {
        timers.current.delete(key);
        return saveAnswer(db, attempt, place, answer, words).catch(() => void notify('error', notKept));
      };
      if (answer.kind === 'free_text' || answer.kind === 'fill_gap')
        timers.current.set(key, { timer: setTimeout(() => void save(), typingPauseMs), save });
      else await save();
    },
    shown: (question) => {
      const asQuiz = { id: page, title: '', is_randomized: false, question_qty: 0, pass_percent: 0, max_tries: 0, questions: [question] };
      const drawn = quiz?.questions.some((q) => q.id === question.id)
        ? drawQuestions(quiz, attempt.shown_as ?? attempt.id, tryNo).find((q) => q.id === question.id)
        : drawQuestions(asQuiz, `${attempt.id}:${question.id}`, 1)[0];
      return drawn ?? question;
    },
  };
};
