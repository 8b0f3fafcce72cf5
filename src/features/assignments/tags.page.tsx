import { Button } from '@mantine/core';

import { Link, useParams } from 'react-router-dom';
import type { Tag } from '#contract/entities/assignment.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { NamedThings } from '#src/features/assignments/named-things.tsx';
import { countOf } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconTag } from '#src/ui/icons.tsx';
import { MultiPicker } from '#src/screens/pickers.tsx';

type Ref = { id: string; name: string };
type Marks = { entities: Ref[]; people: Ref[] };

/** Words that organisations and people are marked with, to find them and report on them together. */
export const Component = () => {
  const { slug = '' } = useParams();
  const user = useSession();
  const { entitiesAltName } = useBrand();
  const thing = useRead('GET /entities/{slug}/tags', { params: { slug } });
  const links = can(user, 'tag.link');
  return (
    <NamedThings<Tag>
      slug={slug}
      thing={thing}
      icon={<IconTag size={36} />}
      words={{
        ...{ title: 'Tags', one: 'tag', many: 'tags', about: 'Labels to find and report on people together.' },
        first: 'Add one, such as the name of a region.',
      }}
      may={{ add: can(user, 'tag.manage'), change: can(user, ['tag.manage', 'tag.link']), name: can(user, 'tag.manage') }}
      facts={(t) =>
        [
          ...(t.entities.length > 0 ? [t.entities.map((e) => e.name).join(', ')] : []),
          ...(t.people.length > 0 ? [countOf(t.people.length, 'person', 'people')] : []),
        ].join(' · ') || 'Not used yet'
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
      more={{
        of: (t): Marks => ({ entities: t.entities, people: t.people }),
        fields: (value, set, errors) => {
          const { entities: chosen, people } = value as Marks;
          return links ? (
            <>
              <MultiPicker
                from="organisations"
                label={entitiesAltName}
                value={chosen}
                error={errors.entity_ids}
                onChange={(to) => set({ entities: to })}
              />
              <MultiPicker from="people" label="People" value={people} error={errors.user_ids} onChange={(to) => set({ people: to })} />
            </>
          ) : null;
        },
      }}
      create={(name) => call('POST /entities/{slug}/tags', { params: { slug }, body: { name } })}
      update={(id, change) => {
        const { entities: chosen, people, ...others } = change as Marks & { name?: string };
        const marks = links ? { entity_ids: chosen.map((e) => e.id), user_ids: people.map((p) => p.id) } : {};
        return call('PATCH /entities/{slug}/tags/{id}', { params: { slug, id }, body: { ...others, ...marks } });
      }}
      remove={(id) => call('DELETE /entities/{slug}/tags/{id}', { params: { slug, id } })}
    />
  );
};
