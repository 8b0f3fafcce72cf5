import { memo, useState } from 'react';
import type { Answer, Block, QuestionBlock } from '#contract/entities/content.ts';
import { AskedQuestion } from '#src/screens/asked-question.tsx';
import classes from '#src/screens/block-view.module.css';
import { BlockView } from '#src/screens/block-view.tsx';

/** It can be tried here, and nothing is stored. */
const Tried = ({ block: { question, key } }: { block: QuestionBlock }) => {
  const [answer, setAnswer] = useState<Answer>();
  const [checked, setChecked] = useState(false);
  return (
    <AskedQuestion
      asked={{ id: question.id, question, scored: false, key }}
      work={{
        ...{ closed: false, handedIn: false, answerOf: () => answer, keepAnswer: async (_id, _scored, next) => setAnswer(next) },
        ...{ isDone: () => checked, setDone: () => setChecked(true), shown: (asked) => asked },
      }}
    />
  );
};

/** A preview of a block as a learner sees it: questions can be answered, and nothing is stored. */
export const TriedBlock = memo(({ block }: { block: Block }) =>
  block.kind === 'h5p' ? (
    <figure className={classes.activity}>
      <strong>{block.title}</strong>
      <p>The activity is played here.</p>
    </figure>
  ) : block.kind === 'question' ? (
    <Tried block={block} />
  ) : (
    <BlockView block={block} />
  ),
);
