import {
  AllocationKind,
  Pathway,
  PathwayAllocation,
  PathwayInput,
  PathwayPerson,
  PathwayProgress,
  PathwayStep,
  PathwayStepInput,
  PathwayStepState,
  WalkedStep,
} from '#contract/entities/pathway.ts';
import { sorts } from '#contract/api/sorts.ts';
import { pathwaysOf } from '#server/features/pathways/pathways.service.ts';
import { builder, type GraphContext, page, paginator, signedIn } from '#server/graphql/builder.ts';
import { graphEnum, graphInput, graphType } from '#server/graphql/entity-types.ts';

const serviceOf = (context: GraphContext) => pathwaysOf(context.services);
const by = (context: GraphContext) => ({ actor: signedIn(context), request: context.request });

/** Pathways, their steps and their allocations. */
export const pathwayGraph = () => {
  graphEnum('PathwayStepState', PathwayStepState);
  const Kind = graphEnum('PathwayAllocationKind', AllocationKind);
  graphType('PathwayStep', PathwayStep, { about: { within_days: 'Days after it was allocated.' } });
  graphType('PathwayWalkedStep', WalkedStep);
  const Person = graphType('PathwayPerson', PathwayPerson, {
    description: 'Somebody on a pathway, and how far they have got.',
    about: { allocation_id: 'Where it was allocated to them by themselves, not by their job role.' },
  });
  const People = paginator(Person);
  const Allocation = graphType('PathwayAllocation', PathwayAllocation);
  const Progress = graphType('PathwayProgress', PathwayProgress, {
    description: 'How far everybody on a pathway has got together: steps done of all steps, and people who have done all of theirs.',
  });
  const Type = graphType('Pathway', Pathway, {
    description: 'Courses that people take in order.',
    about: { editable: 'Ours.', for_roles: 'Ours: whether the caller may give it to a whole job role.' },
    more: (t) => ({
      allocations: t.field({ type: [Allocation], resolve: (p, _, context) => serviceOf(context).allocations(signedIn(context), p.id) }),
      progress: t.field({ type: Progress, description: 'Ours.', resolve: (p, _, context) => serviceOf(context).progress(signedIn(context), p.id) }),
      mine: t.field({
        ...{ type: Person, nullable: true, description: 'Ours: how the signed-in person stands on it.' },
        resolve: (p, _, context) => serviceOf(context).own(signedIn(context), p),
      }),
      people: t.field({
        ...{ type: People, description: 'Ours: those on it whom one may see, by name.' },
        args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
        resolve: (p, { search, ...at }, context) => serviceOf(context).people(signedIn(context), p, page(at), search ?? undefined),
      }),
    }),
  });
  const Pathways = paginator(Type);
  graphInput('PathwayStepInput', PathwayStepInput);
  const Input = graphInput('PathwayInput', PathwayInput, 'Without id a new pathway is made, for the organisation whose slug is `entity`.');

  builder.queryFields((t) => ({
    pathways: t.field({
      type: Pathways,
      description: 'The pathways of the signed-in person and, with a permission that looks after others, of their organisations.',
      args: {
        first: t.arg.int(),
        page: t.arg.int(),
        search: t.arg.string(),
        mine: t.arg.boolean(),
        role: t.arg.id({ description: 'Ours: only those that are allocated to this job role.' }),
        entity: t.arg.string({ description: 'Ours: only those of this organisation and of those above it, by its slug.' }),
        sort: t.arg.string({ description: `Ours: ${sorts.pathways.join(' or ')}; a minus before it turns the order round.` }),
      },
      resolve: (_, { search, mine, role, entity, sort, ...at }, context) =>
        serviceOf(context).list(signedIn(context), page(at), {
          ...(search ? { search } : {}),
          ...(mine ? { mine } : {}),
          ...(role ? { role: String(role) } : {}),
          ...(entity ? { entity } : {}),
          ...(sort ? { sort } : {}),
        }),
    }),
    pathway: t.field({
      type: Type,
      description: 'Ours: one pathway.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, context) => serviceOf(context).one(signedIn(context), String(id)),
    }),
  }));
  builder.mutationFields((t) => ({
    upsertPathway: t.field({
      type: Type,
      description: 'Makes or changes a pathway. Needs permission course.update.',
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: (_, { input }, context) => serviceOf(context).upsert(by(context), input),
    }),
    allocatePathway: t.field({
      type: Type,
      description: 'Gives a pathway to people (needs permission event.create) or to job roles (role.update), or takes it away.',
      args: {
        pathway_id: t.arg.id({ required: true }),
        kind: t.arg({ type: Kind, required: true }),
        allocation_ids: t.arg.idList({ required: true }),
        allocated: t.arg.boolean(),
      },
      resolve: (_, args, context) => serviceOf(context).allocate(by(context), { ...args, allocated: args.allocated ?? true }),
    }),
    deletePathway: t.field({
      type: 'ID',
      description: 'Ours: deletes a pathway with its allocations. What people have done stays. Needs permission course.update.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, context) => serviceOf(context).remove(by(context), String(id)),
    }),
  }));
};
