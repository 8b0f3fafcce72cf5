import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { notKept, useKeptAnswers } from '#src/features/learning/use-kept-answers.ts';
import { recordProgress } from '#src/offline/kinds/attempt/commands.ts';
import type { DesignWork } from '#src/screens/design/design-page.tsx';
import { notify } from '#src/ui/notify.ts';

/** Work on a page of a designed content, stored on this device immediately and sent like all work in a course (decision 077). */
export const useDesignWork = (view: AttemptView, page: string): DesignWork => {
  const db = usePersonDb();
  const person = useSession()?.name ?? '';
  const { flush, ...answers } = useKeptAnswers(view, page);
  const titles = new Map(view.document.lessons.flatMap((l) => l.topics.map((t) => [t.id, t.title] as const)));
  return {
    ...answers,
    person,
    isDone: (id) => view.progress.get(id)?.state === 'completed',
    setDone: (id, words) => {
      // Typed text is saved before it counts as done.
      flush();
      void recordProgress(db, view.attempt, { id, title: titles.get(id) ?? words }, 'completed', 100, 0).catch(() => void notify('error', notKept));
    },
  };
};
