import { Button } from '@mantine/core';
import { useState } from 'react';

/** Takes something away when its person has said so twice. */
export const DeleteButton = ({ question, onDelete }: { question: string; onDelete: () => void }) => {
  const [sure, setSure] = useState(false);
  return sure ? (
    <>
      <span>{question}</span>
      <Button color="red" onClick={onDelete}>
        Delete
      </Button>
      <Button variant="default" onClick={() => setSure(false)}>
        Keep it
      </Button>
    </>
  ) : (
    <Button variant="subtle" color="red" onClick={() => setSure(true)}>
      Delete …
    </Button>
  );
};
