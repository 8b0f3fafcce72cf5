import { Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { TakeOver } from '#src/features/users/take-over.tsx';
import { UserForm } from '#src/features/users/user-form.tsx';
import { countOf } from '#src/lib/format.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

/** Adds a person, by default to the user's own organisation. */
export const Component = () => {
  const navigate = useNavigate();
  const user = useSession();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Add a person
      </Title>
      <TakeOver
        place={user?.primary_entity ?? null}
        onTaken={(person, results) => {
          notify('success', `${person.name} has been added, with ${countOf(results, 'completed course')}.`);
          void navigate(pathTo('users-update-by-uuid', { uuid: person.uuid }));
        }}
      />
      <UserForm
        person={null}
        place={user?.primary_entity ?? null}
        onSaved={(person) => {
          notify('success', `${person.name} has been added.`);
          void navigate(pathTo('users-by-uuid', { uuid: person.uuid }));
        }}
      />
    </div>
  );
};
