import { Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { EntityForm } from '#src/features/entities/entity-form.tsx';
import { useEntityWords } from '#src/access/entity-words.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

/** Adds an organisation, below one's own unless another is chosen. */
export const Component = () => {
  const navigate = useNavigate();
  const user = useSession();
  const { anOne } = useEntityWords();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Add {anOne}
      </Title>
      <EntityForm
        entity={null}
        parent={user && !user.super_admin ? { id: user.primary_entity.id, title: user.primary_entity.name } : null}
        save={(change) => call('POST /entities', { body: change as never })}
        onSaved={(entity) => {
          notify('success', `${entity.name} has been added.`);
          void navigate(pathTo('entities-one', { slug: entity.slug }));
        }}
      />
    </div>
  );
};
