import { Title } from '@mantine/core';

import { useNavigate, useParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { reloadUser } from '#src/access/session.ts';
import { EntityForm } from '#src/features/entities/entity-form.tsx';
import { useEntityWords } from '#src/access/entity-words.ts';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

/** Changes an organisation: fields that the user may not change are read-only. */
export const Component = () => {
  const { slug = '' } = useParams();
  const navigate = useNavigate();
  const { One, one } = useEntityWords();
  const { state, retry } = useRead('GET /entities/{id}', { params: { id: slug } });
  const entity = state.kind === 'loaded' ? state.data : null;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {entity?.name ?? One}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading={`Loading the ${one}`} offline={`Changing this ${one} needs a connection.`} />
      {entity && (
        <EntityForm
          key={entity.id}
          entity={entity}
          parent={entity.parent && { id: entity.parent.id, name: entity.parent.name }}
          success={() => texts.successfullyUpdated}
          onSaved={() => {
            void reloadUser();
            void navigate(pathTo('entities-one', { slug }));
          }}
        />
      )}
    </div>
  );
};
