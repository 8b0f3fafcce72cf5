import { Title } from '@mantine/core';

import { useParams } from 'react-router-dom';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { PermissionMatrix } from '#src/features/permissions/permission-matrix.tsx';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

/** The permissions of everybody in an organisation, whatever their user type. */
export const Component = () => {
  const { slug = '' } = useParams();
  const { state, retry } = useRead('GET /entity-permissions/{slug}/permissions', { params: { slug } });
  const change = (permission: number, grant: boolean) =>
    grant
      ? call('POST /entity-permissions', { body: { slug, permission_ids: [permission] } })
      : call('POST /entity-permissions/{slug}/delete', { params: { slug }, body: { permission_ids: [permission] } });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Permissions of everybody here
      </Title>
      <p className={layout.count}>Everybody who belongs here may do what is ticked, whatever their user type.</p>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the permissions" offline="Permissions need a connection." />
      {state.kind === 'loaded' && (
        <PermissionMatrix
          need={'permission.update'}
          columns={[{ id: slug, title: 'Everybody', held: state.data.map((p) => p.id), change }]}
          said={{ granted: texts.permissionGranted, revoked: texts.permissionRevoked }}
        />
      )}
    </div>
  );
};
