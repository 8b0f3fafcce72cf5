import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { EntityRef } from '#contract/entities/entity.ts';
import type { UserRow } from '#contract/entities/user.ts';
import { call } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { findEntities } from '#src/api/find.ts';
import form from '#src/ui/form.module.css';
import { SearchedSelect } from '#src/ui/searched-select.tsx';

type Place = { id: string; title: string; slug: string };
type Props = { place: EntityRef | null; onTaken: (person: UserRow, results: number) => void };

/** Adds somebody who brings a code from their last organisation: with their name, their password and their training record. */
export const TakeOver = ({ place: placeBefore, onTaken }: Props) => {
  const [open, setOpen] = useState(false);
  const [code, setCode] = useState('');
  const [place, setPlace] = useState<Place | null>(placeBefore && { id: placeBefore.id, title: placeBefore.name, slug: placeBefore.slug });
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const take = async () => {
    const missing = { ...(code.trim() ? {} : { code: 'Enter the code.' }), ...(place ? {} : { primary_entity_id: 'Choose where they belong.' }) };
    setErrors(missing);
    if (!place || Object.keys(missing).length > 0) return;
    setBusy(true);
    const result = await call('POST /users/take-over', { body: { code, primary_entity_id: place.id } }, { quiet: true });
    setBusy(false);
    if (result.kind === 'ok') onTaken(result.data, result.data.results);
    else {
      const { whole, ...named } = fieldErrorsOf(result);
      setErrors({ ...named, ...(whole ? { code: whole } : {}) });
    }
  };
  if (!open)
    return (
      <Group>
        <Button variant="default" aria-expanded={false} onClick={() => setOpen(true)}>
          They bring a code from their last employer
        </Button>
      </Group>
    );
  return (
    <form
      noValidate
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
    >
      <fieldset className={`app-card ${form.group}`}>
        <legend>With a code</legend>
        <Text>They are added with the name, the password and the completed courses that they have. What they do here is chosen afterwards.</Text>
        <div className={form.pair}>
          <TextInput
            label="Code"
            autoComplete="off"
            autoCapitalize="none"
            maxLength={40}
            value={code}
            error={errors.code}
            onChange={(e) => setCode(e.currentTarget.value)}
          />
          <SearchedSelect
            label="Will belong to"
            placeholder="Choose one"
            nothing="No match"
            required
            search={findEntities}
            value={place}
            error={errors.primary_entity_id}
            onChange={setPlace}
          />
        </div>
        <Group>
          <Button type="submit" loading={busy}>
            Take them over
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </Group>
      </fieldset>
    </form>
  );
};
