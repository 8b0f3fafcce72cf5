import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useEntityWords } from '#src/access/entity-words.ts';
import { useSession } from '#src/access/session.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal } from '#src/ui/modal/open-modals.ts';
import { type Option, Picker } from '#src/screens/pickers.tsx';
import { useActFor } from '#src/screens/use-act-for.ts';

export const actForName = 'act-for';

const Choice = () => {
  const user = useSession();
  const act = useActFor();
  const { One } = useEntityWords();
  const [chosen, setChosen] = useState<Option | null>(null);
  const ownPlace = user?.primary_entity.id;
  const begin = ({ id, name, slug = '' }: Option) => {
    closeModal(actForName);
    act({ id, name, slug });
  };
  return (
    <Stack>
      <Text>
        You see what they see, with their branding and terms. Everything you do is recorded under your own name. Your own courses and messages are not
        affected.
      </Text>
      <Picker from="organisations" label={One} except={ownPlace ? [ownPlace] : []} value={chosen} onChange={setChosen} />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => closeModal(actForName)}>
          Cancel
        </Button>
        <Button disabled={!chosen} onClick={() => chosen && begin(chosen)}>
          Act for it
        </Button>
      </Group>
    </Stack>
  );
};

/** Chooses the organisation to act for (permission `entity.act_as`). */
export const ActFor = () => {
  const { one } = useEntityWords();
  return (
    <RegisteredModal name={actForName} title={`Act for another ${one}`}>
      {() => <Choice />}
    </RegisteredModal>
  );
};
