import '@mantine/core/styles/Combobox.css';
import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { EntityRef } from '#contract/entities/entity.ts';
import { type UserField, type UserRow, userFieldNeeds } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { findEntities } from '#src/api/find.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import type { Result } from '#src/api/transport.ts';
import form from '#src/ui/form.module.css';
import { Several } from '#src/ui/several.tsx';
import { dayOf } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { SearchedSelect } from '#src/ui/searched-select.tsx';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

type Place = { id: string; title: string; slug: string };
type Group = { id: string; name: string };
/** What is sent: the fields that were changed. */
export type UserChange = Partial<Record<UserField, unknown>>;
type Props = {
  person: UserRow | null;
  place: EntityRef | null;
  save: (change: UserChange, welcome: boolean) => Promise<Result<UserRow>>;
  onSaved: (person: UserRow) => void;
  more?: ReactNode;
};

const today = () => dayOf(correctedNow());

/** The job roles and user types that are used where a person belongs; those they have stay in sight. */
const useGroups = (slug: string | undefined, may: { role: boolean; type: boolean }) => {
  const [groups, setGroups] = useState<{ roles: Group[]; types: Group[] }>({ roles: [], types: [] });
  const { role, type } = may;
  useEffect(() => {
    if (!slug) return;
    let gone = false;
    void Promise.all([
      role ? call('GET /entities/{slug}/roles', { params: { slug } }, { quiet: true }) : null,
      type ? call('GET /entities/{slug}/types', { params: { slug } }, { quiet: true }) : null,
    ]).then(([roles, types]) => {
      if (!gone) setGroups({ roles: roles?.kind === 'ok' ? roles.data : [], types: types?.kind === 'ok' ? types.data : [] });
    });
    return () => {
      gone = true;
    };
  }, [slug, role, type]);
  return groups;
};
const optionsOf = (groups: readonly Group[], had: Group | null) =>
  [...groups, ...(had && !groups.some((g) => g.id === had.id) ? [had] : [])].map((g) => ({ value: g.id, label: g.name }));

/** A person: who they are, where they belong, what they do there, and what they may do. */
export const UserForm = ({ person, place: placeBefore, save, onSaved, more }: Props) => {
  const user = useSession();
  const own = person !== null && person.uuid === user?.uuid;
  const may = (field: UserField) =>
    !(own && field === 'email') &&
    ((person === null && !['role_id', 'more_role_ids', 'type_id', 'is_trainer'].includes(field)) ||
      can(user, userFieldNeeds[field]) ||
      (own && field === 'name' && can(user, 'user.self_update')));
  const [first] = useState(() => ({
    ...{ name: person?.name ?? '', email: person?.email ?? '', started_on: person?.started_on ?? today(), is_trainer: person?.is_trainer ?? false },
    ...{ role_id: person?.role?.id ?? null, type_id: person?.type?.id ?? null },
    more_roles: (person?.more_roles ?? []) as readonly Group[],
  }));
  const [values, setValues] = useState(first);
  const [place, setPlace] = useState<Place | null>(placeBefore && { id: placeBefore.id, title: placeBefore.name, slug: placeBefore.slug });
  const [welcome, setWelcome] = useState(true);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const groups = useGroups(place?.slug, { role: may('role_id'), type: may('type_id') });
  const set = (change: Partial<typeof values>) => {
    setValues((all) => ({ ...all, ...change }));
    const changed = Object.keys(change);
    setErrors((all) =>
      Object.fromEntries(
        Object.entries(all).filter(([field]) => field !== 'whole' && !changed.includes(field === 'more_role_ids' ? 'more_roles' : field)),
      ),
    );
  };
  const text = (field: 'name' | 'email' | 'started_on') => ({
    ...{ name: field, value: values[field], error: errors[field], disabled: !may(field) },
    onChange: (e: { currentTarget: { value: string } }) => set({ [field]: e.currentTarget.value }),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const missing = {
      ...(values.name.trim() ? {} : { name: 'Enter their name.' }),
      ...(values.email.trim() ? {} : { email: 'Enter their e-mail address.' }),
      ...(place ? {} : { primary_entity_id: 'Choose where they belong.' }),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    const { more_roles: moreRoles, ...plain } = values;
    const fields = (Object.keys(plain) as (keyof typeof plain)[]).filter((f) =>
      person === null ? values[f] !== null && values[f] !== false : values[f] !== first[f],
    );
    const change: UserChange = Object.fromEntries(fields.map((f) => [f, values[f]]));
    if (moreRoles.map((r) => r.id).join() !== first.more_roles.map((r) => r.id).join()) change.more_role_ids = moreRoles.map((r) => r.id);
    if (person === null || place?.id !== placeBefore?.id) change.primary_entity_id = place?.id;
    if (person && Object.keys(change).length === 0) {
      onSaved(person);
      return;
    }
    setBusy(true);
    const result = await save(change, welcome);
    setBusy(false);
    if (result.kind === 'ok') onSaved(result.data);
    else setErrors(fieldErrorsOf(result));
  };
  return (
    <form noValidate className={form.form} onSubmit={(event) => void submit(event)}>
      <ErrorSummary errors={errors} />
      <fieldset className={`app-card ${form.group}`}>
        <legend>Who they are</legend>
        <TextInput label="Name" required maxLength={200} autoComplete="off" {...text('name')} />
        <TextInput
          label="E-mail address"
          type="email"
          required
          autoComplete="off"
          description={own ? 'You sign in with it.' : person ? 'A new address has to be confirmed by them.' : 'They sign in with it.'}
          {...text('email')}
        />
      </fieldset>
      {!(own && !may('primary_entity_id') && !may('role_id')) && (
        <fieldset className={`app-card ${form.group}`}>
          <legend>Where they work</legend>
          <div className={form.pair}>
            <SearchedSelect
              label="Belongs to"
              description="Seen there, and from above."
              placeholder="Choose one"
              nothing="No match"
              required
              disabled={!may('primary_entity_id')}
              search={findEntities}
              value={place}
              error={errors.primary_entity_id}
              onChange={(chosen) => {
                setPlace(chosen);
                setErrors(({ primary_entity_id: _place, role_id: _role, type_id: _type, ...others }) => others);
              }}
            />
            <TextInput label="Started on" type="date" description="What is due, and when, hangs on it." {...text('started_on')} />
          </div>
          <div className={form.pair}>
            <Select
              label="Job role"
              placeholder="None"
              clearable
              clearButtonProps={{ 'aria-label': 'No job role' }}
              description="What they have to do hangs on it."
              disabled={!may('role_id')}
              data={optionsOf(groups.roles, person?.role ?? null)}
              value={values.role_id}
              error={errors.role_id}
              onChange={(role_id) => set({ role_id })}
            />
            <Select
              label="User type"
              placeholder="None"
              clearable
              clearButtonProps={{ 'aria-label': 'No user type' }}
              description="What they may do hangs on it."
              disabled={!may('type_id')}
              data={optionsOf(groups.types, person?.type ?? null)}
              value={values.type_id}
              error={errors.type_id}
              onChange={(type_id) => set({ type_id })}
            />
          </div>
          {(groups.roles.length > 1 || values.more_roles.length > 0) && (
            <Several
              label="Further job roles"
              description="They have to do what each of their job roles asks for."
              none="None"
              disabled={!may('more_role_ids')}
              among={groups.roles.filter((r) => r.id !== values.role_id)}
              chosen={values.more_roles}
              error={errors.more_role_ids}
              onChange={(more_roles) => set({ more_roles })}
            />
          )}
          <Checkbox
            label="They are a trainer"
            disabled={!may('is_trainer')}
            checked={values.is_trainer}
            onChange={(e) => set({ is_trainer: e.currentTarget.checked })}
          />
        </fieldset>
      )}
      {person === null && (
        <fieldset className={`app-card ${form.group}`}>
          <legend>Welcome e-mail</legend>
          <Checkbox
            label="Send it now"
            description="It holds a link to choose a password with. It can be sent later too."
            checked={welcome}
            onChange={(e) => setWelcome(e.currentTarget.checked)}
          />
        </fieldset>
      )}
      <div className={form.actions}>
        <Button type="submit" loading={busy}>
          Save
        </Button>
        {more}
      </div>
    </form>
  );
};
