import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { LoginPopup } from '#src/features/account/login-popup.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

const name = 'login-popup';

/** Opens automatically. Closing it counts as seen. */
export const LoginPopupDialog = ({ popup, onSeen }: { popup: LoginPopup; onSeen: () => void }) => {
  useEffect(() => openModal(name), []);
  return (
    <RegisteredModal name={name} title={popup.title} onBeforeClose={onSeen}>
      {() => (
        <>
          <Text>Your organisation would like you to see this. It opens in a new tab.</Text>
          <Group mt="lg" justify="flex-end">
            <Button variant="default" onClick={() => closeModal(name)}>
              Not now
            </Button>
            <Button component="a" href={popup.link} target="_blank" rel="noopener noreferrer" onClick={() => closeModal(name)}>
              Open {popup.title}
            </Button>
          </Group>
        </>
      )}
    </RegisteredModal>
  );
};
