import { Title } from '@mantine/core';

import { useParams } from 'react-router-dom';
import type { HeldPermission } from '#contract/entities/permission.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { type Column, PermissionMatrix } from '#src/features/permissions/permission-matrix.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { usePlaceBelow } from '#src/lib/placed-below.ts';

const from = (held: readonly HeldPermission[], source: HeldPermission['from'][number]) => held.filter((p) => p.from.includes(source));

/** One person's permissions with their sources; their own ones can be granted and revoked. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const { state, retry } = useReadOf(['permissions of', uuid], async () => {
    const person = await call('GET /users/{id}', { params: { id: uuid } });
    if (person.kind !== 'ok') return person;
    const held = await call('GET /users/{id}/permissions', { params: { id: uuid } });
    return held.kind === 'ok' ? { ...held, data: { person: person.data, held: held.data } } : held;
  });
  const change: Column['change'] = async (permission, grant) => {
    const input = { params: { id: uuid }, body: { permission_ids: [permission] } };
    const result = grant ? await call('POST /users/{id}/permissions', input) : await call('POST /users/{id}/permissions/delete', input);
    return result.kind === 'ok' ? { ...result, data: from(result.data, 'user') } : result;
  };
  const fixed = (id: 'type' | 'entity', title: string, about: string, held: readonly HeldPermission[]): Column => ({
    ...{ id, title, about, change, readOnly: true, held: from(held, id).map((p) => p.id) },
  });
  const thing = state.kind === 'loaded' ? state.data : null;
  usePlaceBelow(pathTo('users-by-uuid-permissions', { uuid }), { path: pathTo('users-by-uuid', { uuid }), name: thing?.person.name ?? 'Person' });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {thing ? `Permissions of ${thing.person.name}` : 'Permissions'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the permissions" offline="Permissions need a connection." />
      {thing?.held.some((p) => p.from.includes('super_administrator')) && (
        <p className={layout.notice} data-tone="warning">
          {thing.person.name} is a super administrator and may do everything.
        </p>
      )}
      {thing && (
        <PermissionMatrix
          need={'user_permission.update'}
          columns={[
            { id: 'user', title: 'Their own', held: from(thing.held, 'user').map((p) => p.id), change },
            fixed('type', 'User type', thing.person.type?.name ?? 'none', thing.held),
            fixed('entity', 'Everybody here', thing.person.primary_entity.name, thing.held),
          ]}
          said={{ granted: texts.userPermissionCreated, revoked: texts.userPermissionDeleted }}
        />
      )}
    </div>
  );
};
