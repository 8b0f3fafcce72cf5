import { Button, Title } from '@mantine/core';

import { useNavigate, useParams } from 'react-router-dom';
import { userFieldNeeds } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { reloadUser, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { HandOver } from '#src/features/users/hand-over.tsx';
import { UserForm } from '#src/features/users/user-form.tsx';
import { formatDay } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

/** Changes a person: the fields that the user may change. Leavers are deactivated, and their records stay. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const navigate = useNavigate();
  const user = useSession();
  const { state, retry } = useRead('GET /users/{id}', { params: { id: uuid } });
  const person = state.kind === 'loaded' ? state.data : null;
  const isOwn = person?.uuid === user?.uuid;
  const activate = useAction((disabled: boolean) => call('PATCH /users/{id}', { params: { id: uuid }, body: { disabled } }), {
    success: ({ name, disabled_at }) => `${name} ${disabled_at ? 'can no longer sign in. What they have done stays.' : 'can sign in again.'}`,
    onDone: retry,
  });
  const mayDisable = person !== null && !isOwn && can(user, userFieldNeeds.disabled);
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {person?.name ?? 'Person'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the person" offline="Changing a person needs a connection." />
      {person?.disabled_at && (
        <p className={layout.notice} data-tone="warning" role="status">
          Left on {formatDay(person.disabled_at)}. They cannot sign in.
        </p>
      )}
      {person && (
        <UserForm
          key={`${person.id}:${person.disabled_at}`}
          person={person}
          place={person.primary_entity}
          onSaved={() => {
            notify('success', texts.successfullyUpdated);
            if (isOwn) void reloadUser();
            void navigate(pathTo('users-by-uuid', { uuid }));
          }}
          more={
            mayDisable &&
            (person.disabled_at ? (
              <Button variant="default" onClick={() => void activate.run(false)}>
                Mark as returned
              </Button>
            ) : (
              <DeleteButton
                label="Mark as left …"
                sure="Deactivate"
                question={`${person.name} will be signed out everywhere. What they have done stays; their places on sessions to come go to others.`}
                onDelete={() => void activate.run(true)}
              />
            ))
          }
        />
      )}
      {mayDisable && person.disabled_at && <HandOver uuid={uuid} name={person.name} email={person.email} />}
    </div>
  );
};
