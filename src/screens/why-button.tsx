import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { loadedLater } from '#src/lib/loaded-later.tsx';

export type WhyProps = { userId: string; courseId: string; courseTitle: string; reason: string };
const WhyDialog = loadedLater(() => import('#src/screens/why-dialog.tsx').then((m) => m.WhyDialog));

/** Beside a status: says why it is so. What that needs is loaded when it is asked. */
export const WhyButton = (why: WhyProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'closed' | 'open' | 'leaving'>('closed');
  // The dialog is there only while it is open, so it cannot give back a focus that it did not see.
  const gone = () => {
    setState('closed');
    button.current?.focus();
  };
  return (
    <>
      <Button ref={button} variant="subtle" px="xs" aria-haspopup="dialog" aria-label={`Why? ${why.courseTitle}`} onClick={() => setState('open')}>
        Why?
      </Button>
      {state !== 'closed' && <WhyDialog {...why} opened={state === 'open'} onClose={() => setState('leaving')} onGone={gone} />}
    </>
  );
};
