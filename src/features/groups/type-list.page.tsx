import { Button } from '@mantine/core';

import { Link, useParams } from 'react-router-dom';
import { createType } from '#contract/api/groups.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { countOf } from '#src/lib/format.ts';
import { NamedList } from '#src/screens/named-list.tsx';
import { useRead } from '#src/screens/use-read.ts';
import { IconPeople } from '#src/ui/icons.tsx';

/** The user types of an organisation: they determine permissions. */
export const Component = () => {
  const { slug = '' } = useParams();
  const user = useSession();
  const thing = useRead('GET /entities/{slug}/types', { params: { slug } });
  return (
    <NamedList
      slug={slug}
      schema={createType.body}
      thing={thing}
      words={{
        ...{ title: 'User types', one: 'user type', many: 'user types', first: 'Add the first one.' },
        about: 'User types determine what people may do.',
      }}
      icon={<IconPeople size={36} />}
      may={{ add: can(user, 'type.create'), name: can(user, 'type.update'), remove: can(user, 'type.delete') }}
      create={(body) => call('POST /entities/{slug}/types', { params: { slug }, body })}
      update={(id, body) => call('PATCH /entities/{slug}/types/{id}', { params: { slug, id }, body })}
      remove={(id) => call('DELETE /entities/{slug}/types/{id}', { params: { slug, id } })}
      said={{ created: texts.typeCreated, updated: texts.successfullyUpdated, deleted: texts.typeDeleted }}
      facts={(type) => [countOf(type.people, 'person', 'people'), countOf(type.permissions.length, 'permission')]}
      head={
        can(user, ['permission.update', 'permission.view']) && (
          <Button variant="default" component={Link} to={pathTo('entities-one-types-permissions', { slug })}>
            Permissions
          </Button>
        )
      }
    />
  );
};
