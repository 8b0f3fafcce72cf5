import * as z from 'zod/mini';
import { createEntity, getEntity, listEntities, updateEntity } from '#contract/api/entities.ts';
import { Entity, entityFields, EntityRow, PasswordRequirements } from '#contract/entities/entity.ts';
import { Id } from '#contract/entities/fields.ts';
import { existing } from '#server/db/rows.ts';
import { entityPage } from '#server/features/entities/entities.rows.ts';
import { entitiesOf, entityChanges } from '#server/features/entities/entities.service.ts';
import { asked, builder, paged, paginator, signedIn } from '#server/graphql/builder.ts';
import { graphInput, graphType } from '#server/graphql/entity-types.ts';
import { read } from '#server/validation.ts';

const EntityInput = z.object({ id: z.optional(Id), ...z.partial(z.object(entityFields)).shape });

/** Organisations: listed, read, added and changed. */
export const entityGraph = () => {
  graphType('PasswordRequirements', PasswordRequirements);
  graphInput('PasswordRequirementsInput', PasswordRequirements);
  const Type = graphType('Entity', Entity, {
    description: 'An organisation.',
    about: {
      notes: 'Null for who may not read them.',
      expiry_warning: 'Days.',
      starter_period: 'Days.',
      time_zone: 'Ours: the time zone here and below.',
      email_domains: 'Ours: the domains of its e-mail addresses.',
      above: 'Ours: the organisations above it that the caller sees, the top one first.',
      people: 'Ours: how many people belong to it.',
      has_access_password: 'Ours.',
      created_at: 'Ours.',
    },
  });
  const Entities = paginator(
    graphType('EntityRow', EntityRow, {
      description: 'An organisation in a list.',
      about: { depth: 'Ours: 0 at the top of what the caller sees.', people: 'Ours: how many people belong to it.' },
    }),
  );
  const Input = graphInput(
    'EntityInput',
    EntityInput,
    'Without id an organisation is added, which needs a name, a level and the id of the one above it (parent_id).',
  );

  builder.queryFields((t) => ({
    entities: t.field({
      type: Entities,
      description: 'The organisations that the signed-in person sees, as a tree from the top down. Needs permission entity.search.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
      resolve: async (_, args, context) => paged(await entityPage(context.services.db, signedIn(context, listEntities.access), asked(args))),
    }),
    entity: t.field({
      type: Type,
      description: 'Ours: one organisation, by its id or slug.',
      args: { id: t.arg.string({ required: true }) },
      resolve: (_, { id }, context) => entitiesOf(context.services).found(context.services.db, signedIn(context, getEntity.access), id),
    }),
  }));
  builder.mutationField('upsertEntity', (t) =>
    t.field({
      type: Type,
      description:
        'Adds an organisation (needs permission entity.create) or changes one; each field needs the permission that it needs in PATCH /entities/{id}.',
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: (_, { input }, context) => {
        const { id, ...fields } = existing(read(EntityInput, input));
        const actor = signedIn(context, (id ? updateEntity : createEntity).access);
        const changes = entityChanges(context.services);
        const by = { actor, request: context.request };
        return id ? changes.update(by, id, existing(read(updateEntity.body, fields))) : changes.create(by, existing(read(createEntity.body, fields)));
      },
    }),
  );
};
