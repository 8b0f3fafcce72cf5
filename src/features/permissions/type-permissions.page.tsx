import { Button, Title } from '@mantine/core';

import { Link, useParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { PermissionMatrix } from '#src/features/permissions/permission-matrix.tsx';
import { useRead } from '#src/screens/use-read.ts';
import { IconKey } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

/** The permissions of each user type of an organisation. */
export const Component = () => {
  const { slug = '' } = useParams();
  const user = useSession();
  const { state, retry } = useRead('GET /entities/{slug}/types', { params: { slug } });
  const change = (typeId: string) => (permission: number, grant: boolean) => {
    const input = { params: { typeId }, body: { permission_ids: [permission] } };
    return grant ? call('POST /type-permissions/{typeId}', input) : call('POST /type-permissions/{typeId}/delete', input);
  };
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Permissions of user types
        </Title>
        {can(user, 'type.view') && (
          <Button variant="default" component={Link} to={pathTo('entities-one-types', { slug })}>
            User types
          </Button>
        )}
      </div>
      <p className={layout.count}>People of each type may do what is ticked. You can grant and revoke what you may do yourself.</p>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the user types" offline="Permissions need a connection." />
      {state.kind === 'loaded' && state.data.length === 0 && (
        <EmptyState icon={<IconKey size={36} />} title="No user types yet">
          Add a user type first.
        </EmptyState>
      )}
      {state.kind === 'loaded' && state.data.length > 0 && (
        <PermissionMatrix
          need={'permission.update'}
          columns={state.data.map((type) => ({
            ...{ id: type.id, title: type.name, held: type.permissions, change: change(type.id) },
            ...(type.editable ? {} : { readOnly: true, about: `from ${type.entity.name}` }),
          }))}
          said={{ granted: texts.permissionAddedToType, revoked: texts.permissionRemovedFromType }}
        />
      )}
    </div>
  );
};
