import { Button, TextInput, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { allocationNeeds, seesPathways } from '#contract/entities/pathway.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { sentenceOf } from '#src/api/call.ts';
import { AllocatePathwayDocument, PathwayDetailDocument, type PathwayDetailQuery, PathwayPeopleDocument } from '#src/api/generated/graphql.ts';
import { graphCall, pageOf } from '#src/api/graph.ts';
import classes from '#src/features/pathways/pathways.module.css';
import { doneOf, standingOf, type Step, stepLook, type Walker } from '#src/features/pathways/step-words.ts';
import { StepsBar } from '#src/ui/steps-bar.tsx';
import { countOf, formatDay } from '#src/lib/format.ts';
import { today } from '#src/device/near-day.ts';
import { useList } from '#src/screens/use-list.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { useKeptRead } from '#src/screens/use-kept-read.ts';
import form from '#src/ui/form.module.css';
import { IconPeople, IconSearch } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { AsOf } from '#src/ui/as-of.tsx';
import { MultiPicker, Picker, rolesOf } from '#src/screens/pickers.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';
import { WhyButton } from '#src/screens/why-button.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Badge } from '#src/ui/badge.tsx';

type Detail = PathwayDetailQuery['pathway'];
type Named = { id: string; name: string };
type Change = (kind: 'user' | 'role', ids: string[], allocated: boolean, said: string) => Promise<void>;

/** Somebody's state in a step, and why. */
const StepStanding = ({ step, userId }: { step: Step; userId: string }) => {
  const { tone, icon, words } = stepLook(step);
  return (
    <span className={layout.line}>
      <WhyButton userId={userId} courseId={step.course_id} courseTitle={step.course_title} reason={`${words}.`} />
      <Badge tone={tone} icon={icon}>
        {words}
      </Badge>
    </span>
  );
};

/** The steps of the pathway, with the signed-in person's progress if they are on it. */
const Steps = ({ pathway, me }: { pathway: Detail; me: { uuid: string } | null }) => (
  <section className={`app-card ${layout.block}`} aria-label="Steps">
    <Title order={2} size="h3">
      {pathway.mine ? 'Your steps' : 'Steps'}
    </Title>
    {pathway.mine && <StepsBar done={doneOf(pathway.mine.steps)} of={pathway.mine.steps.length} label="Your progress" />}
    <ol className={`${layout.lines} ${classes.steps}`}>
      {pathway.steps.map((step) => {
        const ownStep = pathway.mine?.steps.find((s) => s.course_id === step.course_id);
        return (
          <li key={step.course_id}>
            <div>
              <strong>{step.course_title}</strong>
              {step.within_days !== null && <small>within {countOf(step.within_days, 'day')}</small>}
            </div>
            {ownStep && me && <StepStanding step={ownStep} userId={me.uuid} />}
          </li>
        );
      })}
    </ol>
    {pathway.mine?.steps.some((s) => s.state !== 'done') && (
      <Button variant="default" component={Link} to={pathTo('learner-events')} style={{ justifySelf: 'start' }}>
        Go to my courses
      </Button>
    )}
  </section>
);

/** The job roles to which it is allocated. */
const Roles = ({ pathway, change }: { pathway: Detail; change: Change }) => {
  const allocatedRoles = pathway.allocations.flatMap((a) => (a.role ? [a.role] : []));
  if (!pathway.for_roles)
    return allocatedRoles.length > 0 ? (
      <p className={layout.count}>For everybody who works as {allocatedRoles.map((r) => r.name).join(', ')}.</p>
    ) : null;
  return (
    <MultiPicker
      label="Job roles it is for"
      description={`Everybody with the job role at ${pathway.entity.name} and below it.`}
      from={rolesOf(pathway.entity.slug)}
      value={allocatedRoles}
      onChange={(to) => {
        const added = to.filter((r) => !allocatedRoles.some((g) => g.id === r.id));
        const taken = allocatedRoles.filter((g) => !to.some((r) => r.id === g.id));
        const names = [...added, ...taken].map((r) => r.name).join(', ');
        const ids = (named: Named[]) => named.map((r) => r.id);
        if (added.length > 0) void change('role', ids(added), true, `Given to: ${names}.`);
        if (taken.length > 0) void change('role', ids(taken), false, `Taken from: ${names}.`);
      }}
    />
  );
};

const PersonRow = ({ person, change }: { person: Walker; change: Change | null }) => {
  const [open, setOpen] = useState(false);
  const steps = useId();
  return (
    <div className="app-card">
      <div className={layout.row}>
        <span>
          <strong>{person.name}</strong>
          <small>
            {person.place} · {person.since > today() ? 'from' : 'since'} {formatDay(person.since)}
          </small>
          <small>{standingOf(person.steps)}</small>
        </span>
        <StepsBar done={doneOf(person.steps)} of={person.steps.length} label={`Steps of ${person.name}`} />
        <span className={layout.line}>
          <Button
            variant="subtle"
            aria-expanded={open}
            aria-controls={steps}
            aria-label={`Why? Steps of ${person.name}`}
            onClick={() => setOpen(!open)}
          >
            Why?
          </Button>
          {change && person.allocation_id && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() =>
                void change('user', [person.user_id], false, `${person.name} is no longer on this pathway. What they have completed stays.`)
              }
              aria-label={`Take off ${person.name}`}
            >
              Take off
            </Button>
          )}
        </span>
      </div>
      <ol
        id={steps}
        hidden={!open}
        className={`${layout.lines} ${classes.steps} ${classes.inRow}`}
        aria-label={`How ${person.name} stands with each step`}
      >
        {open &&
          person.steps.map((step) => (
            <li key={step.course_id}>
              <div>{step.course_title}</div>
              <StepStanding step={step} userId={person.user_id} />
            </li>
          ))}
      </ol>
    </div>
  );
};

/** The user's people on it, in pages. */
const People = ({ id, round, change }: { id: string; round: number; change: Change | null }) => {
  const load = async ({ page, search }: { page: number; search: string }) => {
    const result = await graphCall(PathwayPeopleDocument, { id, page, search });
    return result.kind === 'ok' ? pageOf(result.data.pathway.people) : result;
  };
  const { state, typed, setTyped, search, page, goTo, retry } = useList<Walker>(['people of pathway', id, round], load);
  return (
    <>
      <TextInput
        label="Find a person"
        placeholder="Name"
        type="search"
        leftSection={<IconSearch size={20} />}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      {state === 'loading' && <LoadingState label="Loading people" />}
      {state === 'offline' && <OfflineState what="The people on it need a connection." onRetry={retry} />}
      {state === 'error' && <ErrorState message="The people on it could not be loaded." onRetry={retry} />}
      {typeof state === 'object' && state.rows.length === 0 && (
        <EmptyState icon={<IconPeople size={36} />} title={search ? `Nobody found for “${search}”` : 'Nobody has been added yet'}>
          {search ? 'Try a part of the name.' : 'Assign it to a person or to a job role.'}
        </EmptyState>
      )}
      {typeof state === 'object' && state.rows.length > 0 && (
        <>
          <ul className={layout.list} aria-label="People on it">
            {state.rows.map((person) => (
              <li key={person.user_id}>
                <PersonRow person={person} change={change} />
              </li>
            ))}
          </ul>
          <Pages last={state.meta.last_page} page={page} onGoTo={goTo} />
        </>
      )}
    </>
  );
};

/** A pathway: its steps, who is on it, and their progress. */
export const Component = () => {
  const { id = '' } = useParams();
  const user = useSession();
  const { state, asOf, retry } = useKeptRead<Detail>(
    `pathway:${id}`,
    ['pathway', id],
    async () => {
      const answer = await graphCall(PathwayDetailDocument, { id });
      return answer.kind === 'ok' ? { kind: 'ok', data: answer.data.pathway } : answer;
    },
    (pathway) => Boolean(pathway.mine),
  );
  const [round, setRound] = useState(0);
  const pathway = state.kind === 'loaded' ? state.data : null;
  const looksAfter = can(user, seesPathways) && asOf === null;
  const change: Change = async (kind, ids, allocated, confirmation) => {
    const result = await graphCall(AllocatePathwayDocument, { pathway_id: id, kind, allocation_ids: ids, allocated });
    if (result.kind !== 'ok') {
      notify('error', result.kind === 'refused' && result.error.errors ? Object.values(result.error.errors).flat().join(' ') : sentenceOf(result));
      return;
    }
    notify('success', confirmation);
    retry();
    setRound((r) => r + 1);
  };
  return (
    <DetailPage
      title={pathway?.name ?? 'Pathway'}
      actions={
        pathway?.editable &&
        asOf === null && (
          <Button component={Link} to={pathTo('pathways-update-by-id', { id })}>
            Change
          </Button>
        )
      }
      aside={looksAfter && pathway && <Steps pathway={pathway} me={user} />}
    >
      {!pathway && <ReadPlaceholder state={state} retry={retry} loading="Loading the pathway" offline="A pathway needs a connection." />}
      {pathway && (
        <>
          {asOf && <AsOf at={asOf} onRetry={retry} />}
          {(pathway.description || looksAfter) && (
            <p className={layout.count} style={{ whiteSpace: 'pre-line' }}>
              {[pathway.description, looksAfter ? `Created by ${pathway.entity.name}.` : ''].filter(Boolean).join('\n')}
            </p>
          )}
          {!looksAfter && <Steps pathway={pathway} me={user} />}
          {looksAfter && (
            <section className={layout.page} aria-label="Who it is for">
              <Title order={2} size="h3">
                Who it is for
              </Title>
              <div className={`app-card ${layout.block}`}>
                <StepsBar
                  done={pathway.progress.done}
                  of={pathway.progress.steps}
                  label="Progress of everybody"
                  words={`${countOf(pathway.progress.people, 'person', 'people')}, ${pathway.progress.finished} finished`}
                />
                <div className={form.pair}>
                  <Roles pathway={pathway} change={change} />
                  {can(user, allocationNeeds.user) && (
                    <Picker
                      from="people"
                      label="Assign it to a person"
                      value={null}
                      onChange={(person) => person && void change('user', [person.id], true, `${person.name} starts it today.`)}
                    />
                  )}
                </div>
              </div>
              <People id={id} round={round} change={can(user, allocationNeeds.user) ? change : null} />
            </section>
          )}
        </>
      )}
    </DetailPage>
  );
};
