import { Button, Group, Stack, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { EntityRef } from '#contract/entities/entity.ts';
import { useEntityWords } from '#src/access/entity-words.ts';
import { actFor, useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal } from '#src/ui/modal/open-modals.ts';
import { SearchedSelect } from '#src/ui/searched-select.tsx';

export const actForName = 'act-for';

type Place = { id: string; title: string; slug: string };

const Choice = () => {
  const user = useSession();
  const navigate = useNavigate();
  const { One } = useEntityWords();
  const [chosen, setChosen] = useState<Place | null>(null);
  const own = user?.primary_entity.id;
  const find = useCallback(
    async (search: string, signal: AbortSignal) => {
      const result = await call('GET /entities', { query: { search, per_page: 50 } }, { signal, quiet: true });
      return result.kind === 'ok'
        ? { options: result.data.filter((e) => e.id !== own).map((e) => ({ id: e.id, title: e.name, slug: e.slug })) }
        : { failed: sentenceOf(result) };
    },
    [own],
  );
  const begin = ({ id, title, slug }: Place) => {
    closeModal(actForName);
    actFor({ id, name: title, slug } satisfies EntityRef);
    void navigate('/');
  };
  return (
    <Stack>
      <Text>
        You see what they see, with their branding and terms. Everything you do is recorded under your own name. Your own courses and messages are not
        affected.
      </Text>
      <SearchedSelect label={One} placeholder="Choose one" nothing="No match" search={find} value={chosen} onChange={setChosen} />
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
