import { Button, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSession } from '#src/access/session.ts';
import { beginHandOver, declinePin, hasDeclinedPin, leaveHandOver, resumeHandOver } from '#src/device/handed-over.ts';
import { waysBack } from '#src/device/owner-ways.ts';
import { ChoosePin } from '#src/screens/choose-pin.tsx';
import classes from '#src/screens/hand-over.module.css';
import { TakeBack } from '#src/screens/take-back.tsx';

type Props = {
  name: string;
  title: string;
  /** The owner has the device back, or did not hand it over. */
  onBack: () => void;
  /** What the other person sees; `giveBack` asks for its owner. */
  children: (giveBack: () => void) => ReactNode;
};

/**
 * Hands the device to another person: only this content is accessible until its owner takes it back with their PIN, passkey or password.
 * Closing the dialog, going back, reloading and other tabs lead nowhere else (src/device/handed-over.ts). Somebody without a PIN is offered
 * one before they hand the device over for the first time.
 */
export const HandOver = ({ name, title, onBack, children }: Props) => {
  const user = useSession();
  const id = user?.uuid ?? '';
  const [phase, setPhase] = useState<'looking' | 'offer' | 'handed' | 'back'>('looking');
  const [password, setPassword] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const handed = phase === 'handed' || phase === 'back';
  useEffect(() => {
    dialog.current?.showModal();
    // Closing it by any means, such as the back gesture of a phone, opens it again while the device is handed over.
    dialog.current?.setAttribute('closedby', 'none');
    resumeHandOver();
    return leaveHandOver;
  }, []);
  useEffect(() => {
    void waysBack(id).then((ways) => {
      setPassword(ways.password);
      if (ways.lock || (ways.password && hasDeclinedPin(id))) setPhase('handed');
      else setPhase('offer');
    });
  }, [id]);
  useEffect(() => {
    if (phase === 'handed') beginHandOver();
    // Neither answer is preselected.
    if (phase !== 'back') heading.current?.focus();
  }, [phase]);
  const words = phase === 'back' ? `${user?.name} takes the device back` : phase === 'offer' ? 'Before you hand it over' : title;
  return (
    <dialog
      ref={dialog}
      className={classes.handover}
      aria-label={handed ? `For ${name}` : words}
      onCancel={(e) => {
        e.preventDefault();
        if (!handed) onBack();
      }}
      onClose={() => (handed ? dialog.current?.showModal() : onBack())}
    >
      <div>
        {phase !== 'looking' && (
          <Title order={2} tabIndex={-1} ref={heading}>
            {words}
          </Title>
        )}
        {phase === 'offer' && (
          <>
            <p>
              Only you can take the device back from {name}. With a PIN of your own, that is quick and works without a connection; it also locks your
              work on this device.{!password && ' Your password cannot be checked on this device without a connection, so it needs a PIN.'}
            </p>
            <ChoosePin personId={id} action="Use this PIN and hand over" onSet={() => setPhase('handed')}>
              {password && (
                <Button
                  variant="default"
                  onClick={() => {
                    declinePin(id);
                    setPhase('handed');
                  }}
                >
                  No PIN: I use my password
                </Button>
              )}
            </ChoosePin>
            <Button variant="subtle" color="gray" onClick={onBack} style={{ justifySelf: 'start' }}>
              Do not hand over
            </Button>
          </>
        )}
        {phase === 'handed' && children(() => setPhase('back'))}
        {phase === 'back' && (
          <>
            <TakeBack onDone={onBack} />
            <Button variant="subtle" color="gray" onClick={() => setPhase('handed')} style={{ justifySelf: 'start' }}>
              Back to {name}
            </Button>
          </>
        )}
      </div>
    </dialog>
  );
};
