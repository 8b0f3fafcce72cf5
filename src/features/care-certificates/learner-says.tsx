import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import form from '#src/ui/form.module.css';
import { Segmented } from '#src/ui/segmented.tsx';

const Comment = ({ objects, value, onChange }: { objects: boolean; value: string; onChange: (to: string) => void }) => (
  <Textarea
    label={objects ? 'What was different?' : 'Anything you want to say (if you like)'}
    autosize
    minRows={2}
    maxLength={2000}
    value={value}
    onChange={(e) => onChange(e.currentTarget.value)}
  />
);

export type Says = { agrees: boolean; comment: string };
type Props = { children: (said: () => Says | string) => ReactNode };

/** The learner's agreement with a record, or their objection. `said` returns an error message while something is missing. */
export const LearnerSays = ({ children }: Props) => {
  const id = useId();
  const [agrees, setAgrees] = useState('');
  const [comment, setComment] = useState('');
  const readAnswer = (): Says | string => {
    if (agrees === '') return 'Say whether this is how it was.';
    if (agrees === 'no' && comment.trim() === '') return 'Say what was different.';
    return { agrees: agrees === 'yes', comment: comment.trim() };
  };
  return (
    <>
      <div className={form.group} style={{ padding: 0 }}>
        <span id={id}>Is this how it was?</span>
        <Segmented
          fullWidth
          size="lg"
          aria-labelledby={id}
          value={agrees}
          onChange={setAgrees}
          data={[
            { value: 'yes', label: 'I agree' },
            { value: 'no', label: 'I do not agree' },
          ]}
        />
        <Comment objects={agrees === 'no'} value={comment} onChange={setComment} />
      </div>
      {children(readAnswer)}
    </>
  );
};

type SigningProps = { children: (said: () => Says | string, action: string) => ReactNode };
/**
 * The same for somebody who signs at once: signing says that they agree, in the words of the button, unless they have said first that they do
 * not. `children` draws the signature, with the words of its button.
 */
export const LearnerSigns = ({ children }: SigningProps) => {
  const [objects, setObjects] = useState(false);
  const [comment, setComment] = useState('');
  const readAnswer = (): Says | string =>
    objects && comment.trim() === '' ? 'Say what was different.' : { agrees: !objects, comment: comment.trim() };
  return (
    <>
      {objects && <Comment objects value={comment} onChange={setComment} />}
      {children(readAnswer, objects ? 'I do not agree, and sign' : 'I agree and sign')}
      <Button variant="default" onClick={() => setObjects(!objects)} style={{ justifySelf: 'start' }}>
        {objects ? 'I agree after all' : 'I do not agree'}
      </Button>
      {!objects && <Comment objects={false} value={comment} onChange={setComment} />}
    </>
  );
};
