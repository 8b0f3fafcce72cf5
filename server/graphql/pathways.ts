import { allocationKinds } from '#contract/entities/pathway.ts';
import { stepStates } from '#contract/rules/pathway-steps.ts';
import {
  type Pathway,
  type PathwayAllocation,
  type PathwayStep,
  pathwaysOf,
  type WalkedStep,
  type Walker,
} from '#server/features/pathways/pathways.ts';
import { builder, type GraphContext, page, paginator, signedIn } from '#server/graphql/builder.ts';

/** Pathways, their steps and their allocations: the part of the graph that answers `pathways`, `upsertPathway` and `allocatePathway`. */
const of = (context: GraphContext) => pathwaysOf(context.services);
const by = (context: GraphContext) => ({ actor: signedIn(context), request: context.request });

type Named = { id: string; name: string };
const Named = builder.objectRef<Named>('Named').implement({ fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }) });
const Organisation = builder
  .objectRef<Named & { slug: string }>('OrganisationRef')
  .implement({ fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name'), slug: t.exposeString('slug') }) });
const StepState = builder.enumType('PathwayStepState', { values: stepStates });
const AllocationKind = builder.enumType('PathwayAllocationKind', { values: allocationKinds });
const Step = builder.objectRef<PathwayStep>('PathwayStep').implement({
  fields: (t) => ({
    course_id: t.exposeID('course_id'),
    course_title: t.exposeString('course_title'),
    within_days: t.exposeInt('within_days', { nullable: true, description: 'Days after it was allocated.' }),
  }),
});
const Walked = builder.objectRef<WalkedStep>('PathwayWalkedStep').implement({
  fields: (t) => ({
    course_id: t.exposeID('course_id'),
    course_title: t.exposeString('course_title'),
    state: t.field({ type: StepState, resolve: (s) => s.state }),
    done_at: t.exposeString('done_at', { nullable: true }),
    due_on: t.exposeString('due_on', { nullable: true }),
  }),
});
const Person = builder.objectRef<Walker>('PathwayPerson').implement({
  description: 'Somebody on a pathway, and how far they have got.',
  fields: (t) => ({
    user_id: t.exposeID('user_id'),
    name: t.exposeString('name'),
    place: t.exposeString('place'),
    since: t.exposeString('since'),
    allocation_id: t.exposeID('allocation_id', {
      nullable: true,
      description: 'Where it was allocated to them by themselves, not by their job role.',
    }),
    steps: t.field({ type: [Walked], resolve: (w) => w.steps }),
  }),
});
const Allocation = builder.objectRef<PathwayAllocation>('PathwayAllocation').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    user: t.field({ type: Named, nullable: true, resolve: (a) => a.user }),
    role: t.field({ type: Named, nullable: true, resolve: (a) => a.role }),
    allocated_on: t.exposeString('allocated_on'),
  }),
});
const Progress = builder.objectRef<{ people: number; finished: number; done: number; steps: number }>('PathwayProgress').implement({
  description: 'How far everybody on a pathway has got together: steps done of all steps, and people who have done all of theirs.',
  fields: (t) => ({
    people: t.exposeInt('people'),
    finished: t.exposeInt('finished'),
    done: t.exposeInt('done'),
    steps: t.exposeInt('steps'),
  }),
});
const People = paginator<Walker>('PathwayPerson', Person);
const PathwayRef = builder.objectRef<Pathway>('Pathway').implement({
  description: 'Courses in an order, that people go through.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    entity: t.field({ type: Organisation, resolve: (p) => p.entity }),
    editable: t.exposeBoolean('editable', { description: 'Ours.' }),
    for_roles: t.exposeBoolean('for_roles', { description: 'Ours: whether the caller may give it to a whole job role.' }),
    steps: t.field({ type: [Step], resolve: (p) => p.steps }),
    allocations: t.field({ type: [Allocation], resolve: (p, _, context) => of(context).allocations(signedIn(context), p.id) }),
    progress: t.field({ type: Progress, description: 'Ours.', resolve: (p, _, context) => of(context).progress(signedIn(context), p.id) }),
    mine: t.field({
      ...{ type: Person, nullable: true, description: 'Ours: how the signed-in person stands on it.' },
      resolve: (p, _, context) => of(context).own(signedIn(context), p),
    }),
    people: t.field({
      ...{ type: People, description: 'Ours: those on it whom one may see, by name.' },
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
      resolve: (p, { search, ...at }, context) => of(context).people(signedIn(context), p, page(at), search ?? undefined),
    }),
  }),
});
const Pathways = paginator<Pathway>('Pathway', PathwayRef);

const StepInput = builder.inputType('PathwayStepInput', {
  fields: (t) => ({ course_id: t.id({ required: true }), within_days: t.int() }),
});
const Input = builder.inputType('PathwayInput', {
  description: 'Without id a new pathway is made, for the organisation whose slug is `entity`.',
  fields: (t) => ({
    id: t.id(),
    entity: t.string(),
    name: t.string({ required: true }),
    description: t.string(),
    steps: t.field({ type: [StepInput], required: true }),
  }),
});

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
    },
    resolve: (_, { search, mine, role, entity, ...at }, context) =>
      of(context).list(signedIn(context), page(at), {
        ...(search ? { search } : {}),
        ...(mine ? { mine } : {}),
        ...(role ? { role: String(role) } : {}),
        ...(entity ? { entity } : {}),
      }),
  }),
  pathway: t.field({
    type: PathwayRef,
    description: 'Ours: one pathway.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => of(context).one(signedIn(context), String(id)),
  }),
}));
builder.mutationType({
  fields: (t) => ({
    upsertPathway: t.field({
      type: PathwayRef,
      description: 'Makes or changes a pathway. Needs permission course.update.',
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: (_, { input }, context) => of(context).upsert(by(context), input),
    }),
    allocatePathway: t.field({
      type: PathwayRef,
      description: 'Gives a pathway to people (needs permission event.create) or to job roles (role.update), or takes it away.',
      args: {
        pathway_id: t.arg.id({ required: true }),
        kind: t.arg({ type: AllocationKind, required: true }),
        allocation_ids: t.arg.idList({ required: true }),
        allocated: t.arg.boolean(),
      },
      resolve: (_, args, context) => of(context).allocate(by(context), { ...args, allocated: args.allocated ?? true }),
    }),
    deletePathway: t.field({
      type: 'ID',
      description: 'Ours: deletes a pathway with its allocations. What people have done stays. Needs permission course.update.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, context) => of(context).remove(by(context), String(id)),
    }),
  }),
});
