import { useState } from 'react';
import type { Answer, QuestionBlock } from '#contract/entities/content.ts';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { useKeptAnswers } from '#src/features/learning/use-kept-answers.ts';
import { AskedQuestion } from '#src/screens/asked-question.tsx';

type Props = { view: AttemptView; topic: string; block: QuestionBlock };

/**
 * A practice question in a topic: marked on the device, without effect on the result. The answer is stored with the attempt;
 * in a finished attempt it can still be tried, and is kept only while the page is open.
 */
export const TopicQuestion = ({ view, topic, block: { question, key } }: Props) => {
  const { flush, ...answers } = useKeptAnswers(view, topic);
  const [tried, setTried] = useState<Answer>();
  const [checked, setChecked] = useState(false);
  const { closed } = view.attempt;
  return (
    <AskedQuestion
      asked={{ id: question.id, question, scored: false, key }}
      work={{
        ...answers,
        ...(closed && {
          closed: false,
          answerOf: (id: string) => tried ?? answers.answerOf(id, false),
          keepAnswer: async (_id: string, _scored: boolean, answer: Answer) => setTried(answer),
        }),
        isDone: () => checked,
        setDone: () => {
          flush();
          setChecked(true);
        },
      }}
    />
  );
};
