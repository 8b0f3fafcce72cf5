import { Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { createUser } from '#contract/api/users.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import { type UserField, type UserRow, userFieldNeeds } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { dayOf } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { Form, FormSection, notPermitted } from '#src/screens/form.tsx';
import { MultiPicker, Picker, rolesOf, typesOf } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { MailWaits } from '#src/screens/mail-waits.tsx';

type Props = { person: UserRow | null; place: EntityRef | null; onSaved: (person: UserRow) => void; more?: ReactNode };

const begin = (person: Props['person'], place: Props['place']) => ({
  ...{ name: person?.name ?? '', email: person?.email ?? '', is_trainer: person?.is_trainer ?? false },
  primary_entity_id: place && { id: place.id, name: place.name, slug: place.slug },
  started_on: person?.started_on ?? dayOf(correctedNow()),
  ...{ leave_from: person?.leave_from ?? '', leave_until: person?.leave_until ?? '' },
  ...{ role_id: person?.role ?? null, type_id: person?.type ?? null, more_role_ids: person?.more_roles ?? [] },
  send_welcome_email: person === null,
});

/** A person: name and contacts, organisation, job roles, and user type. */
export const UserForm = ({ person, place, onSaved, more }: Props) => {
  const user = useSession();
  const isOwn = person !== null && person.uuid === user?.uuid;
  const may = (field: UserField) =>
    !(isOwn && field === 'email') &&
    ((person === null && !['role_id', 'more_role_ids', 'type_id', 'is_trainer'].includes(field)) ||
      can(user, userFieldNeeds[field]) ||
      (isOwn && field === 'name' && can(user, 'user.self_update')));
  const fields = useForm({
    schema: createUser.body,
    begin: () => begin(person, place),
    latest:
      person !== null &&
      (async () => {
        const read = await call('GET /users/{id}', { params: { id: person.uuid } });
        return read.kind === 'ok' ? begin(read.data, read.data.primary_entity) : null;
      }),
    toInput: ({ primary_entity_id, role_id, type_id, more_role_ids, leave_from, leave_until, ...typed }) => ({
      ...typed,
      ...{ leave_from: leave_from || null, leave_until: leave_until || null },
      ...{ primary_entity_id: primary_entity_id?.id, role_id: role_id?.id ?? null, type_id: type_id?.id ?? null },
      more_role_ids: more_role_ids.map((r) => r.id),
    }),
    save: async ({ name, email, primary_entity_id, started_on, send_welcome_email }, changed) => {
      if (person === null)
        return call('POST /users', {
          body: { ...changed, name, email, primary_entity_id, ...(started_on ? { started_on } : {}), send_welcome_email },
        });
      if (Object.keys(changed).length === 0) return { kind: 'ok', data: person };
      return call('PATCH /users/{id}', { params: { id: person.uuid }, body: changed });
    },
    onSaved,
    locked: (field) =>
      isOwn && field === 'email'
        ? 'You sign in with it. Change it under “How I sign in”.'
        : field !== 'send_welcome_email' && !may(field) && notPermitted,
    ...(person === null ? { draft: 'person' } : {}),
  });
  const { role_id, more_role_ids, primary_entity_id } = fields.values;
  const slug = primary_entity_id?.slug ?? '';
  return (
    <Form form={fields} more={more}>
      <FormSection title="Personal details">
        <TextInput label="Name" required maxLength={200} autoComplete="off" {...fields.field('name')} />
        <TextInput
          label="E-mail address"
          type="email"
          required
          autoComplete="off"
          description={person ? 'They have to confirm a new address.' : 'They sign in with it.'}
          {...fields.field('email')}
        />
      </FormSection>
      {!(isOwn && !may('primary_entity_id') && !may('role_id')) && (
        <FormSection title="Where they work">
          <div className={form.pair}>
            <Picker
              from="organisations"
              label="Belongs to"
              description="They can be seen there and in the organisations above it."
              required
              {...fields.field('primary_entity_id')}
            />
            <DateField label="Started on" description="Determines when training is due." {...fields.field('started_on')} />
          </div>
          <div className={form.pair}>
            <Picker
              label="Job role"
              clearable
              clearButtonProps={{ 'aria-label': 'No job role' }}
              description="Determines which training they need."
              from={rolesOf(slug)}
              {...fields.field('role_id')}
            />
            <Picker
              label="User type"
              clearable
              clearButtonProps={{ 'aria-label': 'No user type' }}
              description="Determines what they can do in the app."
              from={typesOf(slug)}
              {...fields.field('type_id')}
            />
          </div>
          {(may('more_role_ids') || more_role_ids.length > 0) && (
            <MultiPicker
              label="Other job roles"
              description="They need the training of each of their job roles."
              from={rolesOf(slug)}
              except={role_id ? [role_id.id] : []}
              {...fields.field('more_role_ids')}
            />
          )}
          <Checkbox label="They are a trainer" {...fields.checkbox('is_trainer')} />
        </FormSection>
      )}
      {person !== null && may('leave_from') && (
        <FormSection title="Leave">
          <div className={form.pair}>
            <DateField label="First day" description="Shown on the form that books training." {...fields.field('leave_from')} />
            <DateField label="Last day" description="Leave it empty until it is known." {...fields.field('leave_until')} />
          </div>
        </FormSection>
      )}
      {person === null && (
        <FormSection title="Welcome e-mail">
          <Checkbox
            label="Send it now"
            description="It contains a link to set a password. It can also be sent later."
            {...fields.checkbox('send_welcome_email')}
          />
          <MailWaits links />
        </FormSection>
      )}
    </Form>
  );
};
