import { useEffect, useState } from 'react';
import classes from '#src/features/account/lock-screen.module.css';
import { countOf } from '#src/lib/format.ts';
import { waitingHere } from '#src/offline/store/waiting-here.ts';

/** That work of other people waits on this tablet, without saying whose. */
export const OthersWaiting = ({ except }: { except: string | null }) => {
  const [waiting, setWaiting] = useState<{ things: number; people: number } | null>(null);
  useEffect(() => {
    void waitingHere(except)
      .then(setWaiting)
      .catch(() => undefined);
  }, [except]);
  if (!waiting || waiting.things === 0) return null;
  const whose = `${except === null ? 'a' : 'another'} colleague`;
  return (
    <p className={classes.others} role="status">
      {countOf(waiting.things, 'item')} of {waiting.people === 1 ? whose : `${waiting.people} colleagues`} {waiting.things === 1 ? 'waits' : 'wait'}{' '}
      on this tablet. {waiting.things === 1 ? 'It is' : 'They are'} sent when {waiting.people === 1 ? 'that colleague signs' : 'they sign'} in here.
    </p>
  );
};
