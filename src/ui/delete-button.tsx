import { Button } from '@mantine/core';
import { useState } from 'react';

type Props = {
  question: string /** Names the item if there are several on one page. */;
  name?: string;
  onDelete: () => void;
  label?: string;
  sure?: string;
};
/** Removes something after confirmation. */
export const DeleteButton = ({ question, name, onDelete, label = 'Delete …', sure: yes = 'Delete' }: Props) => {
  const [sure, setSure] = useState(false);
  return sure ? (
    <>
      <span>{question}</span>
      <Button color="red" onClick={onDelete}>
        {yes}
      </Button>
      <Button variant="default" onClick={() => setSure(false)}>
        No
      </Button>
    </>
  ) : (
    <Button variant="subtle" color="red" aria-label={name && `${label} ${name}`} onClick={() => setSure(true)}>
      {label}
    </Button>
  );
};
