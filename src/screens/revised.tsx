import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Result } from '#src/api/transport.ts';
import { FormSection } from '#src/screens/form.tsx';
import type { Failed } from '#src/screens/use-action.ts';
import { ConflictSides } from '#src/ui/conflict-sides.tsx';
import { notify } from '#src/ui/notify.ts';

/** A version that somebody else saved while a form was open, and the two ways to resolve it. */
export type Conflict<T> = { theirs: T; keepMine: () => void; takeTheirs: () => void };

/**
 * Something that is edited on this page, in its last saved version. Two people can have it open: the second to save is shown what the
 * first one saved, and keeps what they typed until they choose.
 */
export const useRevised = <T extends object>(read: T) => {
  const [thing, setThing] = useState(read);
  const [theirs, setTheirs] = useState<T | null>(null);
  /** Counts how often the form's values were replaced: it then starts again with them. */
  const [round, setRound] = useState(0);
  const revOf = (row: T) => (row as { rev?: number }).rev;
  /** The version that the form edits. A ref, because a form saved right after a choice reads it before the next render. */
  const rev = useRef(revOf(read));
  const [basis, setBasis] = useState(rev.current);
  const goOnFrom = (next: number | undefined) => {
    rev.current = next;
    setBasis(next);
  };
  const set = (next: T) => {
    goOnFrom(revOf(next));
    setThing(next);
  };
  return {
    thing,
    round,
    set,
    /** Sends a change of the version that was seen last. */
    save: async (send: (rev: number | undefined) => Promise<Result<T>>): Promise<Result<T> | Failed> => {
      const answer = await send(rev.current);
      if (answer.kind === 'ok') {
        set(answer.data);
        setTheirs(null);
      }
      if (answer.kind !== 'refused' || answer.error.code !== 'rev_mismatch') return answer;
      setTheirs(answer.error.current as T);
      return {
        kind: 'failed',
        errors: { whole: 'Somebody else changed this in the meantime. Nothing of yours is lost: choose below which version to keep.' },
      };
    },
    draft: {
      rev: basis,
      /** Restores a draft: if it edits an earlier version, both are compared before it is saved. */
      resumed: (from: number | undefined) => {
        if (from === undefined || from === rev.current) return;
        goOnFrom(from);
        setTheirs(thing);
      },
    },
    conflict: theirs && {
      theirs,
      // The button stays until the form is saved: without it nothing would be submitted.
      keepMine: () => goOnFrom(revOf(theirs)),
      takeTheirs: () => {
        set(theirs);
        setTheirs(null);
        setRound(round + 1);
        notify('success', 'This is what the other person saved.');
      },
    },
  };
};

type Words = { mine: string; theirs: string };
/** Shows in a form that somebody else saved another version. Its first button saves the form. */
export const ConflictSection = ({
  conflict,
  sides,
  busy,
}: {
  conflict: Pick<Conflict<never>, 'keepMine' | 'takeTheirs'>;
  sides: Words;
  busy: boolean;
}) => (
  <FormSection title="Which version do you want to keep?" wide>
    <ConflictSides names={{ mine: 'You entered', theirs: 'Saved in the meantime' }} sides={sides} />
    <div className={layout.tools}>
      <Button type="submit" loading={busy} onClick={conflict.keepMine}>
        Save what I entered
      </Button>
      <Button variant="default" onClick={conflict.takeTheirs}>
        Load the other version
      </Button>
    </div>
  </FormSection>
);
