import { memo, useState } from 'react';
import type { Answer, Block, QuestionBlock } from '#contract/entities/content.ts';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import { AskedQuestion } from '#src/screens/asked-question.tsx';
import { type Device, DeviceFrame } from '#src/screens/authoring/device-frame.tsx';
import look from '#src/screens/block-view.module.css';
import { BlockView } from '#src/screens/block-view.tsx';

/** It can be tried here, and is kept nowhere. */
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

const One = memo(({ block }: { block: Block }) =>
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

type Props = {
  device: Device;
  title: string;
  blocks: readonly Block[] /** Links to other sites are seen as ones that lead nowhere. */;
  offline: boolean;
};
/** The topic as a learner sees it on a device of this kind. */
export const Preview = ({ device, title, blocks, offline }: Props) => (
  <DeviceFrame device={device}>
    <div className={`${look.topic} ${classes.previewTopic}`} data-offline={offline || undefined}>
      <h1>{title || 'Topic'}</h1>
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shown anew whenever the topic changes
        <One key={i} block={block} />
      ))}
    </div>
  </DeviceFrame>
);
