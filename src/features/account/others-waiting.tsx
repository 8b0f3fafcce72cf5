import { useEffect, useState, useSyncExternalStore } from 'react';
import { unsealedMark } from '#src/device/leaving-mark.ts';
import classes from '#src/features/account/lock-screen.module.css';
import { countOf } from '#src/lib/format.ts';
import { waitingHere } from '#src/offline/store/waiting-here.ts';

/** That what somebody left here when they signed out is not sealed. */
const NotSealed = () => {
  const person = useSyncExternalStore(unsealedMark.subscribe, unsealedMark.get);
  if (person === null) return null;
  return (
    <p className={classes.others} role="alert">
      What the last person left on this tablet could not be sealed: whoever can read this browser’s files could read it. Sealing is tried again each
      time the app is opened. The work is sent as soon as that person signs in here with a connection.
    </p>
  );
};

/** That work of other people waits on this tablet, without saying whose. */
export const OthersWaiting = ({ except }: { except: string | null }) => {
  const [waiting, setWaiting] = useState<{ things: number; people: number } | null>(null);
  useEffect(() => {
    void waitingHere(except)
      .then(setWaiting)
      .catch(() => undefined);
  }, [except]);
  if (!waiting || waiting.things === 0) return <NotSealed />;
  const whose = `${except === null ? 'a' : 'another'} colleague`;
  return (
    <>
      <p className={classes.others} role="status">
        {countOf(waiting.things, 'item')} of {waiting.people === 1 ? whose : `${waiting.people} colleagues`} {waiting.things === 1 ? 'waits' : 'wait'}{' '}
        on this tablet. {waiting.things === 1 ? 'It is' : 'They are'} sent when {waiting.people === 1 ? 'that colleague signs' : 'they sign'} in here.
      </p>
      <NotSealed />
    </>
  );
};
