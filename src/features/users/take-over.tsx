import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { takeOver } from '#contract/api/users.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import type { UserRow } from '#contract/entities/user.ts';
import { call } from '#src/api/call.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import form from '#src/ui/form.module.css';

type Props = { place: EntityRef | null; onTaken: (person: UserRow, results: number) => void };

/** Adds somebody who brings a transfer code from their last organisation: with their name, password and training record. */
export const TakeOver = ({ place, onTaken }: Props) => {
  const [open, setOpen] = useState(false);
  const fields = useForm({
    schema: takeOver.body,
    begin: { code: '', primary_entity_id: place && { id: place.id, name: place.name } },
    toInput: ({ code, primary_entity_id }) => ({ code, primary_entity_id: primary_entity_id?.id }),
    save: (body) => call('POST /users/take-over', { body }, { quiet: true }),
    onSaved: (person) => onTaken(person, person.results),
  });
  if (!open)
    return (
      <Group>
        <Button variant="default" aria-expanded={false} onClick={() => setOpen(true)}>
          They bring a transfer code
        </Button>
      </Group>
    );
  return (
    <Form
      form={fields}
      save="Add them with this code"
      beside={
        <Button variant="default" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      }
    >
      <FormSection title="With a code">
        <Text>They are added with the name, the password and the completed courses that they have. What they do here is chosen afterwards.</Text>
        <div className={form.pair}>
          <TextInput label="Code" autoComplete="off" autoCapitalize="none" maxLength={40} {...fields.field('code')} />
          <Picker from="organisations" label="Will belong to" required {...fields.field('primary_entity_id')} />
        </div>
      </FormSection>
    </Form>
  );
};
