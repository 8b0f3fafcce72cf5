import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from '#src/ui/hand-over.module.css';

/**
 * Hands the device to another person: only this content is accessible until it is handed back.
 */
export const HandOver = ({ name, title, onBack, children }: { name: string; title: string; onBack: () => void; children: ReactNode }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Neither answer is preselected.
    heading.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes.handover}
      aria-label={`For ${name}`}
      onCancel={(e) => {
        e.preventDefault();
        onBack();
      }}
    >
      <div>
        <Title order={2} tabIndex={-1} ref={heading}>
          {title}
        </Title>
        {children}
      </div>
    </dialog>
  );
};
