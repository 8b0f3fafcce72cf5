import { Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { TakeOver } from '#src/features/users/take-over.tsx';
import { UserForm } from '#src/features/users/user-form.tsx';
import { countOf } from '#src/lib/format.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

/** Adds a person, by default to the user's own organisation, or to the one they act for. */
export const Component = () => {
  const navigate = useNavigate();
  const user = useSession();
  const place = useActingAs() ?? user?.primary_entity ?? null;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Add a person
      </Title>
      <TakeOver
        place={place}
        onTaken={(person, results) => {
          notify('success', `${person.name} has been added, with ${countOf(results, 'completed course')}.`);
          void navigate(pathTo('users-update-by-uuid', { uuid: person.uuid }));
        }}
      />
      <UserForm
        person={null}
        place={place}
        onSaved={(person) => {
          notify('success', `${person.name} has been added.`);
          void navigate(pathTo('users-by-uuid', { uuid: person.uuid }));
        }}
      />
    </div>
  );
};
