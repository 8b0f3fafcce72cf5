import { Button } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { can } from '#contract/can.ts';
import { Choice } from '#contract/entities/fields.ts';
import type { TrainerRow } from '#contract/entities/trainer.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { formatDay } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import { type Option, Picker } from '#src/screens/pickers.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useList } from '#src/screens/use-list.ts';
import { IconPeople } from '#src/ui/icons.tsx';

const words = {
  ...{ title: 'Trainers', one: 'a trainer', many: 'trainers', looksAt: 'Name or home base', none: 'There are no trainers yet' },
  first: 'Make somebody of your organisation a trainer, and note what they train in and when they work.',
  failed: 'The trainers could not be loaded.',
};
const columns: readonly Column<TrainerRow>[] = [
  { id: 'name', header: 'Name', sort: 'name', width: 180, grow: 1, keep: true, value: (t) => t.name },
  { id: 'place', header: 'Belongs to', sort: 'place', width: 180, value: (t) => t.place },
  { id: 'courses', header: 'Competent for', width: 240, grow: 1.4, value: (t) => t.courses.map((c) => c.name).join(', ') || 'Any course' },
  { id: 'home', header: 'Home base', width: 140, value: (t) => t.home_base },
  { id: 'next', header: 'Next session', sort: 'next', width: 140, value: (t) => (t.next ? formatDay(t.next) : 'None planned') },
  { id: 'coming', header: 'Sessions to come', width: 130, value: (t) => t.coming.toLocaleString('en-GB'), optional: true },
];

const AddTrainer = ({ onSaved, onCancel }: { onSaved: () => void; onCancel: () => void }) => {
  const form = useForm({
    schema: z.object({ user_id: Choice('Choose a person.') }),
    begin: { user_id: null as Option | null },
    toInput: ({ user_id }) => ({ user_id: user_id?.id }),
    save: (body) => call('POST /trainers', { body }),
    success: ({ name }) => `${name} is a trainer now.`,
    onSaved,
  });
  return (
    <Form
      form={form}
      save="Make them a trainer"
      beside={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <FormSection title="Who becomes a trainer">
        <Picker
          from="people"
          label="Person"
          description="To take registers they also need the permission “Mark delegates”."
          {...form.field('user_id')}
        />
      </FormSection>
    </Form>
  );
};

/** The trainers of an organisation and those below it. */
export const Component = () => {
  const mayWrite = can(useSession(), 'trainer.create');
  const list = useList(['trainers'], (query, signal) => call('GET /trainers', { query }, { signal }), { sortedBy: ['name', 'place', 'next'] });
  const [adding, setAdding] = useState(false);
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconPeople size={36} />}
      add={mayWrite && !adding && <Button onClick={() => setAdding(true)}>Add a trainer</Button>}
      form={
        adding && (
          <AddTrainer
            onSaved={() => {
              setAdding(false);
              list.retry();
            }}
            onCancel={() => setAdding(false)}
          />
        )
      }
      columns={columns}
      to={({ id }) => pathTo('trainers-by-id', { id })}
    />
  );
};
