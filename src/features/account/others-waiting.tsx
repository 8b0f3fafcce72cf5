import { useEffect, useState, useSyncExternalStore } from 'react';
import { unsealedMark } from '#src/device/leaving-mark.ts';
import classes from '#src/features/account/lock-screen.module.css';
import { countOf } from '#src/lib/format.ts';
import { waitingHere } from '#src/offline/store/waiting-here.ts';

/** Warns that work left at sign-out is not encrypted. */
const NotSealed = () => {
  const person = useSyncExternalStore(unsealedMark.subscribe, unsealedMark.get);
  if (person === null) return null;
  return (
    <p className={classes.others} role="alert">
      The work of the last person on this device could not be encrypted: anyone with access to this browser’s files could read it. Encryption is tried
      again each time the app is opened. The work is sent when that person next signs in here with a connection.
    </p>
  );
};

/** States that other people have unsent work on this device, without naming them. */
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
        on this device. {waiting.things === 1 ? 'It is' : 'They are'} sent when {waiting.people === 1 ? 'that colleague signs' : 'they sign'} in here.
      </p>
      <NotSealed />
    </>
  );
};
