import { Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { EntityForm } from '#src/features/entities/entity-form.tsx';
import { useEntityWords } from '#src/access/entity-words.ts';
import layout from '#src/ui/page.module.css';

/** Adds an organisation, by default below the user's own. */
export const Component = () => {
  const navigate = useNavigate();
  const user = useSession();
  const above = useActingAs() ?? (user?.super_admin ? null : (user?.primary_entity ?? null));
  const { anOne } = useEntityWords();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Add {anOne}
      </Title>
      <EntityForm
        entity={null}
        parent={above && { id: above.id, name: above.name }}
        success={({ name }) => `${name} has been added.`}
        onSaved={({ slug }) => void navigate(pathTo('entities-one', { slug }))}
      />
    </div>
  );
};
