import { Button } from '@mantine/core';

import { Link, useParams } from 'react-router-dom';
import { createRole } from '#contract/api/groups.ts';
import { can } from '#contract/can.ts';
import type { Role } from '#contract/entities/group.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { countOf } from '#src/lib/format.ts';
import { NamedList } from '#src/screens/named-list.tsx';
import { useRead } from '#src/screens/use-read.ts';
import { IconPeople } from '#src/ui/icons.tsx';

/** The job roles of an organisation: they determine required training. */
export const Component = () => {
  const { slug = '' } = useParams();
  const user = useSession();
  const thing = useRead('GET /entities/{slug}/roles', { params: { slug } });
  return (
    <NamedList
      slug={slug}
      schema={createRole.body}
      thing={thing}
      words={{
        ...{ title: 'Job roles', one: 'job role', many: 'job roles', first: 'Add the first one.' },
        about: 'Job roles determine the training people need.',
      }}
      icon={<IconPeople size={36} />}
      flags={[{ field: 'inspectable', label: 'Shown to inspectors in reports', of: (role: Role | null) => role?.inspectable ?? true }]}
      may={{ add: can(user, 'role.create'), name: can(user, 'role.update'), remove: can(user, 'role.delete') }}
      create={(body) => call('POST /entities/{slug}/roles', { params: { slug }, body })}
      update={(id, body) => call('PATCH /entities/{slug}/roles/{id}', { params: { slug, id }, body })}
      remove={(id) => call('DELETE /entities/{slug}/roles/{id}', { params: { slug, id } })}
      said={{ created: texts.roleCreated, updated: texts.roleUpdated, deleted: texts.roleDeleted }}
      open={(role) => (
        <>
          <Button
            variant="default"
            component={Link}
            to={pathTo('entities-one-role-by-role-courses', { slug, role: role.id })}
            aria-label={`Courses of ${role.name}`}
          >
            Courses
          </Button>
          <Button
            variant="default"
            component={Link}
            to={pathTo('entities-one-role-by-role-pathways', { slug, role: role.id })}
            aria-label={`Pathways of ${role.name}`}
          >
            Pathways
          </Button>
          {role.people > 0 && can(user, ['role.view', 'role.update']) && (
            <Button
              variant="default"
              component={Link}
              to={`${pathTo('messages')}?to=role:${slug}:${role.id}`}
              aria-label={`Message everyone with the job role ${role.name}`}
            >
              Message
            </Button>
          )}
        </>
      )}
      facts={(role) => [
        countOf(role.people, 'person', 'people'),
        countOf(role.courses, 'course'),
        ...(role.inspectable ? [] : ['not shown to inspectors']),
      ]}
    />
  );
};
