import { useEffect, useState } from 'react';
import classes from '#src/features/account/lock-screen.module.css';
import { countOf } from '#src/lib/format.ts';
import { peopleHere } from '#src/offline/sealed-copy.ts';

/** That work of other people waits on this tablet, without saying whose. */
export const OthersWaiting = ({ except }: { except: string | null }) => {
  const [waiting, setWaiting] = useState<{ things: number; people: number } | null>(null);
  useEffect(() => {
    void peopleHere()
      .then((people) => {
        const others = people.filter((p) => p.id !== except && p.unsent > 0);
        setWaiting({ things: others.reduce((sum, p) => sum + p.unsent, 0), people: others.length });
      })
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
