import { useEffect, useRef, useState } from 'react';
import type { Answer, ContentDocument } from '#contract/entities/content.ts';
import { triesLeft } from '#contract/rules/completion.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { recordProgress, saveAnswer } from '#src/offline/kinds/attempt/commands.ts';
import type { DesignWork } from '#src/screens/design/design-page.tsx';
import { notify } from '#src/ui/notify.ts';

/** The longest time before typed text is saved. */
const typingPauseMs = 400;
const notKept = 'This could not be saved on this device. It may be full: remove a course you do not need, then do it again.';

/** What is done on a page of a designed content, kept on this device at once and sent like all work in a course (decision 077). */
export const useDesignWork = (view: AttemptView, page: string): DesignWork => {
  const db = usePersonDb();
  const person = useSession()?.name ?? '';
  const { attempt, document } = view;
  const quiz: ContentDocument['quizzes'][number] | undefined = document.quizzes[0];
  const tries = view.submissions.filter((s) => s.quiz_id === quiz?.id);
  const handedIn = quiz !== undefined && (tries.some((t) => t.graded === null || t.graded.passed) || triesLeft(quiz, tries) <= 0);
  const tryNo = handedIn ? tries.length : tries.length + 1;
  const [typed, setTyped] = useState<Record<string, Answer>>({});
  const timers = useRef(new Map<string, { timer: ReturnType<typeof setTimeout>; save: () => Promise<void> }>());
  useEffect(
    () => () => {
      for (const { timer, save } of timers.current.values()) {
        clearTimeout(timer);
        void save();
      }
      timers.current.clear();
    },
    [],
  );
  const placeOf = (id: string, scored: boolean) => ({ quiz_id: scored && quiz ? quiz.id : page, try_no: scored ? tryNo : 1, question_id: id });
  const keyOf = (id: string, scored: boolean) => {
    const place = placeOf(id, scored);
    return `${place.quiz_id}:${place.try_no}:${place.question_id}`;
  };
  const titles = new Map(document.lessons.flatMap((l) => l.topics.map((t) => [t.id, t.title] as const)));
  return {
    person,
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
    isDone: (id) => view.progress.get(id)?.state === 'completed',
    setDone: (id, words) => {
      // What was typed is saved before it counts as done.
      for (const { timer, save } of [...timers.current.values()]) {
        clearTimeout(timer);
        void save();
      }
      void recordProgress(db, attempt, { id, title: titles.get(id) ?? words }, 'completed', 100, 0).catch(() => void notify('error', notKept));
    },
    shown: (question) => {
      const of = { id: page, title: '', is_randomized: false, question_qty: 0, pass_percent: 0, max_tries: 0, questions: [question] };
      const drawn = quiz?.questions.some((q) => q.id === question.id)
        ? drawQuestions(quiz, attempt.id, tryNo).find((q) => q.id === question.id)
        : drawQuestions(of, `${attempt.id}:${question.id}`, 1)[0];
      return drawn ?? question;
    },
  };
};
