import { useEffect, useState } from 'react';
import { countOf } from '#src/lib/format.ts';
import { waitingOf } from '#src/offline/store/waiting-here.ts';
import plain from '#src/ui/plain/plain.module.css';

type Props = { person: { uuid: string; name: string }; deactivated: boolean; onOther: () => void };
/** Names the person whose session ended without their doing, and says what of theirs waits here. */
export const OwnWaiting = ({ person, deactivated, onOther }: Props) => {
  const [count, setCount] = useState(0);
  const { uuid } = person;
  useEffect(() => {
    void waitingOf(uuid)
      .then(setCount)
      .catch(() => undefined);
  }, [uuid]);
  const one = count === 1;
  return (
    <div className={plain.note} data-tone={count > 0 ? 'warning' : 'info'} role="status">
      {count === 0
        ? `${person.name} was signed in here.`
        : deactivated
          ? `${person.name}, ${countOf(count, 'thing', 'things')} you did ${one ? 'has' : 'have'} not been sent. ${one ? 'It stays' : 'They stay'} on this device, encrypted, until your account works again; your manager can also have ${one ? 'it' : 'them'} handed in from this device.`
          : `${person.name}, ${countOf(count, 'thing', 'things')} you did ${one ? 'waits' : 'wait'} on this device. Sign in to send ${one ? 'it' : 'them'}.`}{' '}
      <button type="button" className={plain.link} onClick={onOther}>
        I am somebody else
      </button>
    </div>
  );
};
