import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { useState } from 'react';
import classes from '#src/features/learning/own-feedback.module.css';
import { type SayDialog, sayDialogs } from '#src/features/learning/say-dialogs.ts';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';

const FeedbackDialogs = loadedLater(() => import('#src/features/learning/feedback-dialogs.tsx').then((m) => m.FeedbackDialogs));

/** Below every page of a course: reporting a problem and asking a question. Both work offline. */
export const SayFoot = ({ view, part }: { view: AttemptView; part: string }) => {
  const [first, setFirst] = useState<SayDialog | null>(null);
  const open = (dialog: SayDialog) => (first === null ? setFirst(dialog) : openModal(sayDialogs[dialog]));
  return (
    <div className={`${layout.line} ${classes.foot}`}>
      <Button variant="subtle" color="gray" onClick={() => open('problem')}>
        Report a problem
      </Button>
      <Button variant="subtle" color="gray" onClick={() => open('question')}>
        Ask a question
      </Button>
      {first && <FeedbackDialogs view={view} part={part} first={first} />}
    </div>
  );
};
