import { Button } from '@mantine/core';

import { Link, useParams } from 'react-router-dom';
import { updateTag } from '#contract/api/assignments.ts';
import type { Tag } from '#contract/entities/assignment.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { NamedList } from '#src/screens/named-list.tsx';
import { countOf } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconTag } from '#src/ui/icons.tsx';

/** Tags for organisations and people, to find them and report on them together. */
export const Component = () => {
  const { slug = '' } = useParams();
  const user = useSession();
  const { entitiesAltName } = useBrand();
  const thing = useRead('GET /entities/{slug}/tags', { params: { slug } });
  return (
    <NamedList
      slug={slug}
      thing={thing}
      icon={<IconTag size={36} />}
      words={{
        ...{ title: 'Tags', one: 'tag', many: 'tags', about: 'Labels to find and report on people together.' },
        first: 'Add one, such as the name of a region.',
      }}
      may={{ add: can(user, 'tag.manage'), name: can(user, 'tag.manage'), remove: can(user, 'tag.manage') }}
      said={{ created: texts.successfullyUpdated, updated: texts.successfullyUpdated, deleted: texts.successfullyUpdated }}
      facts={(t: Tag) =>
        t.entities.length + t.people.length === 0
          ? ['Not used yet']
          : [
              ...(t.entities.length > 0 ? [t.entities.map((e) => e.name).join(', ')] : []),
              ...(t.people.length > 0 ? [countOf(t.people.length, 'person', 'people')] : []),
            ]
      }
      open={(t) =>
        (t.entities.length > 0 || t.people.length > 0) &&
        can(user, ['tag.use', 'tag.manage']) && (
          <Button
            variant="default"
            component={Link}
            to={`${pathTo('messages')}?to=tag:${slug}:${t.id}`}
            aria-label={`Message everyone with the tag ${t.name}`}
          >
            Message
          </Button>
        )
      }
      schema={updateTag.body}
      choices={
        can(user, 'tag.link')
          ? [
              { field: 'entity_ids', label: entitiesAltName, from: 'organisations', of: (t) => t.entities },
              { field: 'user_ids', label: 'People', from: 'people', of: (t) => t.people },
            ]
          : []
      }
      create={({ name = '' }) => call('POST /entities/{slug}/tags', { params: { slug }, body: { name } })}
      update={(id, body) => call('PATCH /entities/{slug}/tags/{id}', { params: { slug, id }, body })}
      remove={(id) => call('DELETE /entities/{slug}/tags/{id}', { params: { slug, id } })}
    />
  );
};
