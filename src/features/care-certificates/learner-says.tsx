import { Textarea } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import form from '#src/ui/form.module.css';
import { Segmented } from '#src/ui/segmented.tsx';

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
        <Textarea
          label={agrees === 'no' ? 'What was different?' : 'Anything you want to say (if you like)'}
          autosize
          minRows={2}
          maxLength={2000}
          value={comment}
          onChange={(e) => setComment(e.currentTarget.value)}
        />
      </div>
      {children(readAnswer)}
    </>
  );
};
