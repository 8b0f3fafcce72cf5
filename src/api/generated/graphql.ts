/* Made by npm run generate. */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type EventStatus =
  | 'completed'
  | 'current'
  | 'overdue';

export type PathwayAllocationKind =
  | 'role'
  | 'user';

/** Without id a new pathway is made, for the organisation whose slug is `entity`. */
export type PathwayInput = {
  description?: string | null | undefined;
  entity?: string | null | undefined;
  id?: string | number | null | undefined;
  name: string;
  steps: Array<PathwayStepInput>;
};

export type PathwayStepInput = {
  course_id: string | number;
  within_days?: number | null | undefined;
};

export type PathwayStepState =
  | 'done'
  | 'due'
  | 'late'
  | 'open';

export type ReportedType =
  | 'all'
  | 'primary'
  | 'secondary';

export type StarterFilter =
  | 'exclude_new_starters'
  | 'include_new_starters'
  | 'new_starters_only';

export type HelpArticlesQueryVariables = Exact<{
  first: number;
}>;


export type HelpArticlesQuery = { helpArticles: { data: Array<{ id: string, title: string, url_regex: string, link_suffix: string, body: string }> } };

export type EventFieldsFragment = { __typename: 'Event', id: string, course_id: string, course_title: string, content_id: string | null, estimated_duration: number | null, delivery: string, compliance_type: string | null, focused: boolean, pathway: string | null, asked_version: number | null, needs_licence: boolean, status: EventStatus, due_at: string | null, reason: string, completed_at: string | null, expires_at: string | null, score: number | null, result_id: string | null, attempt_id: string | null, attempt_rev: number | null, percent: number, image: string | null };

export type LearnerEventsQueryVariables = Exact<{
  first: number;
  page: number;
}>;


export type LearnerEventsQuery = { eventCounts: { current: number, overdue: number, completed: number }, openEvaluations: Array<{ id: string, course: string, until: string }>, activeEvents: { data: Array<{ __typename: 'Event', id: string, course_id: string, course_title: string, content_id: string | null, estimated_duration: number | null, delivery: string, compliance_type: string | null, focused: boolean, pathway: string | null, asked_version: number | null, needs_licence: boolean, status: EventStatus, due_at: string | null, reason: string, completed_at: string | null, expires_at: string | null, score: number | null, result_id: string | null, attempt_id: string | null, attempt_rev: number | null, percent: number, image: string | null }>, paginatorInfo: { lastPage: number, total: number } }, completedEvents: { data: Array<{ __typename: 'Event', id: string, course_id: string, course_title: string, content_id: string | null, estimated_duration: number | null, delivery: string, compliance_type: string | null, focused: boolean, pathway: string | null, asked_version: number | null, needs_licence: boolean, status: EventStatus, due_at: string | null, reason: string, completed_at: string | null, expires_at: string | null, score: number | null, result_id: string | null, attempt_id: string | null, attempt_rev: number | null, percent: number, image: string | null }>, paginatorInfo: { lastPage: number, total: number } } };

export type MatrixStartQueryVariables = Exact<{
  entities?: Array<string | number> | string | number | null | undefined;
  roles?: Array<string | number> | string | number | null | undefined;
  tags?: Array<string | number> | string | number | null | undefined;
  users?: Array<string | number> | string | number | null | undefined;
  courses?: Array<string | number> | string | number | null | undefined;
  compliance_type?: ReportedType | null | undefined;
  new_starters_filter?: StarterFilter | null | undefined;
}>;


export type MatrixStartQuery = { matrix: { websocketUrl: string, matrixID: string } };

export type PageFieldsFragment = { currentPage: number, lastPage: number, perPage: number, total: number };

export type PathwayFieldsFragment = { id: string, name: string, description: string, editable: boolean, for_roles: boolean, entity: { id: string, name: string, slug: string }, steps: Array<{ course_id: string, course_title: string, within_days: number | null }> };

export type PathwayPersonFieldsFragment = { user_id: string, name: string, place: string, since: string, allocation_id: string | null, steps: Array<{ course_id: string, course_title: string, state: PathwayStepState, done_at: string | null, due_on: string | null }> };

export type PathwaysQueryVariables = Exact<{
  page: number;
  search?: string | null | undefined;
  mine?: boolean | null | undefined;
  sort?: string | null | undefined;
}>;


export type PathwaysQuery = { pathways: { data: Array<{ id: string, name: string, description: string, editable: boolean, for_roles: boolean, mine: { user_id: string, name: string, place: string, since: string, allocation_id: string | null, steps: Array<{ course_id: string, course_title: string, state: PathwayStepState, done_at: string | null, due_on: string | null }> } | null, entity: { id: string, name: string, slug: string }, steps: Array<{ course_id: string, course_title: string, within_days: number | null }> }>, paginatorInfo: { currentPage: number, lastPage: number, perPage: number, total: number } } };

export type PathwaysOfEntityQueryVariables = Exact<{
  page: number;
  search?: string | null | undefined;
  entity: string;
  role?: string | number | null | undefined;
  sort?: string | null | undefined;
}>;


export type PathwaysOfEntityQuery = { pathways: { data: Array<{ id: string, name: string, description: string, editable: boolean, for_roles: boolean, allocations: Array<{ role: { id: string } | null }>, entity: { id: string, name: string, slug: string }, steps: Array<{ course_id: string, course_title: string, within_days: number | null }> }>, paginatorInfo: { currentPage: number, lastPage: number, perPage: number, total: number } } };

export type PathwayToChangeQueryVariables = Exact<{
  id: string | number;
}>;


export type PathwayToChangeQuery = { pathway: { id: string, name: string, description: string, editable: boolean, for_roles: boolean, entity: { id: string, name: string, slug: string }, steps: Array<{ course_id: string, course_title: string, within_days: number | null }> } };

export type PathwayDetailQueryVariables = Exact<{
  id: string | number;
}>;


export type PathwayDetailQuery = { pathway: { id: string, name: string, description: string, editable: boolean, for_roles: boolean, progress: { people: number, finished: number, done: number, steps: number }, mine: { user_id: string, name: string, place: string, since: string, allocation_id: string | null, steps: Array<{ course_id: string, course_title: string, state: PathwayStepState, done_at: string | null, due_on: string | null }> } | null, allocations: Array<{ id: string, role: { id: string, name: string } | null }>, entity: { id: string, name: string, slug: string }, steps: Array<{ course_id: string, course_title: string, within_days: number | null }> } };

export type PathwayPeopleQueryVariables = Exact<{
  id: string | number;
  page: number;
  search?: string | null | undefined;
}>;


export type PathwayPeopleQuery = { pathway: { people: { data: Array<{ user_id: string, name: string, place: string, since: string, allocation_id: string | null, steps: Array<{ course_id: string, course_title: string, state: PathwayStepState, done_at: string | null, due_on: string | null }> }>, paginatorInfo: { currentPage: number, lastPage: number, perPage: number, total: number } } } };

export type UpsertPathwayMutationVariables = Exact<{
  input: PathwayInput;
}>;


export type UpsertPathwayMutation = { upsertPathway: { id: string } };

export type AllocatePathwayMutationVariables = Exact<{
  pathway_id: string | number;
  kind: PathwayAllocationKind;
  allocation_ids: Array<string | number> | string | number;
  allocated: boolean;
}>;


export type AllocatePathwayMutation = { allocatePathway: { id: string } };

export type DeletePathwayMutationVariables = Exact<{
  id: string | number;
}>;


export type DeletePathwayMutation = { deletePathway: string };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const EventFieldsFragmentDoc = new TypedDocumentString(`
    fragment EventFields on Event {
  __typename
  id
  course_id
  course_title
  content_id
  estimated_duration
  delivery
  compliance_type
  focused
  pathway
  asked_version
  needs_licence
  status
  due_at
  reason
  completed_at
  expires_at
  score
  result_id
  attempt_id
  attempt_rev
  percent
  image
}
    `, {"fragmentName":"EventFields"}) as unknown as TypedDocumentString<EventFieldsFragment, unknown>;
export const PageFieldsFragmentDoc = new TypedDocumentString(`
    fragment PageFields on PaginatorInfo {
  currentPage
  lastPage
  perPage
  total
}
    `, {"fragmentName":"PageFields"}) as unknown as TypedDocumentString<PageFieldsFragment, unknown>;
export const PathwayFieldsFragmentDoc = new TypedDocumentString(`
    fragment PathwayFields on Pathway {
  id
  name
  description
  editable
  for_roles
  entity {
    id
    name
    slug
  }
  steps {
    course_id
    course_title
    within_days
  }
}
    `, {"fragmentName":"PathwayFields"}) as unknown as TypedDocumentString<PathwayFieldsFragment, unknown>;
export const PathwayPersonFieldsFragmentDoc = new TypedDocumentString(`
    fragment PathwayPersonFields on PathwayPerson {
  user_id
  name
  place
  since
  allocation_id
  steps {
    course_id
    course_title
    state
    done_at
    due_on
  }
}
    `, {"fragmentName":"PathwayPersonFields"}) as unknown as TypedDocumentString<PathwayPersonFieldsFragment, unknown>;
export const HelpArticlesDocument = new TypedDocumentString(`
    query HelpArticles($first: Int!) {
  helpArticles(first: $first) {
    data {
      id
      title
      url_regex
      link_suffix
      body
    }
  }
}
    `) as unknown as TypedDocumentString<HelpArticlesQuery, HelpArticlesQueryVariables>;
export const LearnerEventsDocument = new TypedDocumentString(`
    query LearnerEvents($first: Int!, $page: Int!) {
  eventCounts {
    current
    overdue
    completed
  }
  openEvaluations {
    id
    course
    until
  }
  activeEvents(first: $first, page: $page) {
    data {
      ...EventFields
    }
    paginatorInfo {
      lastPage
      total
    }
  }
  completedEvents(first: $first, page: $page) {
    data {
      ...EventFields
    }
    paginatorInfo {
      lastPage
      total
    }
  }
}
    fragment EventFields on Event {
  __typename
  id
  course_id
  course_title
  content_id
  estimated_duration
  delivery
  compliance_type
  focused
  pathway
  asked_version
  needs_licence
  status
  due_at
  reason
  completed_at
  expires_at
  score
  result_id
  attempt_id
  attempt_rev
  percent
  image
}`) as unknown as TypedDocumentString<LearnerEventsQuery, LearnerEventsQueryVariables>;
export const MatrixStartDocument = new TypedDocumentString(`
    query MatrixStart($entities: [ID!], $roles: [ID!], $tags: [ID!], $users: [ID!], $courses: [ID!], $compliance_type: ReportedType, $new_starters_filter: StarterFilter) {
  matrix(
    entities: $entities
    roles: $roles
    tags: $tags
    users: $users
    courses: $courses
    compliance_type: $compliance_type
    new_starters_filter: $new_starters_filter
  ) {
    websocketUrl
    matrixID
  }
}
    `) as unknown as TypedDocumentString<MatrixStartQuery, MatrixStartQueryVariables>;
export const PathwaysDocument = new TypedDocumentString(`
    query Pathways($page: Int!, $search: String, $mine: Boolean, $sort: String) {
  pathways(first: 20, page: $page, search: $search, mine: $mine, sort: $sort) {
    data {
      ...PathwayFields
      mine {
        ...PathwayPersonFields
      }
    }
    paginatorInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PaginatorInfo {
  currentPage
  lastPage
  perPage
  total
}
fragment PathwayFields on Pathway {
  id
  name
  description
  editable
  for_roles
  entity {
    id
    name
    slug
  }
  steps {
    course_id
    course_title
    within_days
  }
}
fragment PathwayPersonFields on PathwayPerson {
  user_id
  name
  place
  since
  allocation_id
  steps {
    course_id
    course_title
    state
    done_at
    due_on
  }
}`) as unknown as TypedDocumentString<PathwaysQuery, PathwaysQueryVariables>;
export const PathwaysOfEntityDocument = new TypedDocumentString(`
    query PathwaysOfEntity($page: Int!, $search: String, $entity: String!, $role: ID, $sort: String) {
  pathways(
    first: 20
    page: $page
    search: $search
    entity: $entity
    role: $role
    sort: $sort
  ) {
    data {
      ...PathwayFields
      allocations {
        role {
          id
        }
      }
    }
    paginatorInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PaginatorInfo {
  currentPage
  lastPage
  perPage
  total
}
fragment PathwayFields on Pathway {
  id
  name
  description
  editable
  for_roles
  entity {
    id
    name
    slug
  }
  steps {
    course_id
    course_title
    within_days
  }
}`) as unknown as TypedDocumentString<PathwaysOfEntityQuery, PathwaysOfEntityQueryVariables>;
export const PathwayToChangeDocument = new TypedDocumentString(`
    query PathwayToChange($id: ID!) {
  pathway(id: $id) {
    ...PathwayFields
  }
}
    fragment PathwayFields on Pathway {
  id
  name
  description
  editable
  for_roles
  entity {
    id
    name
    slug
  }
  steps {
    course_id
    course_title
    within_days
  }
}`) as unknown as TypedDocumentString<PathwayToChangeQuery, PathwayToChangeQueryVariables>;
export const PathwayDetailDocument = new TypedDocumentString(`
    query PathwayDetail($id: ID!) {
  pathway(id: $id) {
    ...PathwayFields
    progress {
      people
      finished
      done
      steps
    }
    mine {
      ...PathwayPersonFields
    }
    allocations {
      id
      role {
        id
        name
      }
    }
  }
}
    fragment PathwayFields on Pathway {
  id
  name
  description
  editable
  for_roles
  entity {
    id
    name
    slug
  }
  steps {
    course_id
    course_title
    within_days
  }
}
fragment PathwayPersonFields on PathwayPerson {
  user_id
  name
  place
  since
  allocation_id
  steps {
    course_id
    course_title
    state
    done_at
    due_on
  }
}`) as unknown as TypedDocumentString<PathwayDetailQuery, PathwayDetailQueryVariables>;
export const PathwayPeopleDocument = new TypedDocumentString(`
    query PathwayPeople($id: ID!, $page: Int!, $search: String) {
  pathway(id: $id) {
    people(first: 20, page: $page, search: $search) {
      data {
        ...PathwayPersonFields
      }
      paginatorInfo {
        ...PageFields
      }
    }
  }
}
    fragment PageFields on PaginatorInfo {
  currentPage
  lastPage
  perPage
  total
}
fragment PathwayPersonFields on PathwayPerson {
  user_id
  name
  place
  since
  allocation_id
  steps {
    course_id
    course_title
    state
    done_at
    due_on
  }
}`) as unknown as TypedDocumentString<PathwayPeopleQuery, PathwayPeopleQueryVariables>;
export const UpsertPathwayDocument = new TypedDocumentString(`
    mutation UpsertPathway($input: PathwayInput!) {
  upsertPathway(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpsertPathwayMutation, UpsertPathwayMutationVariables>;
export const AllocatePathwayDocument = new TypedDocumentString(`
    mutation AllocatePathway($pathway_id: ID!, $kind: PathwayAllocationKind!, $allocation_ids: [ID!]!, $allocated: Boolean!) {
  allocatePathway(
    pathway_id: $pathway_id
    kind: $kind
    allocation_ids: $allocation_ids
    allocated: $allocated
  ) {
    id
  }
}
    `) as unknown as TypedDocumentString<AllocatePathwayMutation, AllocatePathwayMutationVariables>;
export const DeletePathwayDocument = new TypedDocumentString(`
    mutation DeletePathway($id: ID!) {
  deletePathway(id: $id)
}
    `) as unknown as TypedDocumentString<DeletePathwayMutation, DeletePathwayMutationVariables>;
