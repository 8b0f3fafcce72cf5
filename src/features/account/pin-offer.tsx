import { Button, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { declinePin } from '#src/device/handed-over.ts';
import { ChoosePin } from '#src/screens/choose-pin.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';

const name = 'pin-offer';

/** Offers a PIN to a person at their first use of a device that is marked as shared. */
export const PinOffer = ({ personId }: { personId: string }) => {
  useEffect(() => openModal(name), []);
  return (
    <RegisteredModal name={name} title="Choose a PIN for this device">
      {() => (
        <Stack>
          <Text>
            Other people use this device too. With a PIN, what you do here is encrypted and opens only for you, also without a connection. Your
            password still works if you forget it.
          </Text>
          <ChoosePin
            personId={personId}
            action="Use this PIN"
            onSet={() => {
              closeModal(name);
              notify('success', 'Your work on this device is now locked with your PIN.');
            }}
          >
            <Button
              variant="default"
              onClick={() => {
                declinePin(personId);
                closeModal(name);
              }}
            >
              No PIN
            </Button>
          </ChoosePin>
        </Stack>
      )}
    </RegisteredModal>
  );
};
