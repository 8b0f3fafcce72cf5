import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { webAddress } from '#contract/rules/links.ts';
import type { Delegate, Mark, MarkArgs, Register } from '#contract/entities/training-session.ts';
import { can } from '#contract/can.ts';
import { cancellationWords, needsOutcome, hasStarted, isGraded, isOnRegister, currentMark } from '#contract/rules/register.ts';
import { pathTo } from '#contract/site-map.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { useChoices } from '#src/device/use-choices.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { CancelSession } from '#src/features/training-sessions/cancel-session.tsx';
import { ShowCheckInCode } from '#src/features/training-sessions/check-in-code.tsx';
import { DelegateCard } from '#src/features/training-sessions/delegate-card.tsx';
import { Documents } from '#src/features/training-sessions/documents.tsx';
import { SessionEvaluation } from '#src/features/training-sessions/evaluation.tsx';
import { Finish } from '#src/features/training-sessions/finish.tsx';
import classes from '#src/features/training-sessions/register.module.css';
import { GiveDelegates } from '#src/features/training-sessions/give-delegates.tsx';
import { OffTheList } from '#src/features/training-sessions/off-the-list.tsx';
import { PrintRegister } from '#src/features/training-sessions/print-register.tsx';
import { SessionOutcome } from '#src/features/training-sessions/session-outcome.tsx';
import { SessionState } from '#src/features/training-sessions/session-line.tsx';
import { useRegister } from '#src/features/training-sessions/use-register.ts';
import { useWaitingList, WaitingList } from '#src/features/training-sessions/waiting-list.tsx';
import { WalkIn } from '#src/features/training-sessions/walk-in.tsx';
import { gradingWords } from '#src/features/training-sessions/words.ts';
import { nearDay, today } from '#src/device/near-day.ts';
import { countOf, formatDay, formatMoment } from '#src/lib/format.ts';
import { addWalkIn, markDelegate } from '#src/offline/kinds/register/commands.ts';
import { NotSaved } from '#src/offline/outbox/commit.ts';
import { IconPeople } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { OpenChoices } from '#src/ui/open-choices.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Picker } from '#src/screens/pickers.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

type Change = ReturnType<typeof useRegister>['change'];

/** The office's actions on a session: its list, its plan, cancelling it. They need a connection. */
const Office = ({ register, change, reload }: { register: Register; change: Change; reload: () => Promise<void> }) => {
  const user = useSession();
  const [cancelling, setCancelling] = useState(false);
  const [notListed, setNotListed] = useState<string | null>(null);
  const params = { id: register.id };
  const waiting = useWaitingList(register, reload);
  const on = register.delegates.filter((d) => d.removed === null);
  const full = register.maxDelegates !== null && on.length >= register.maxDelegates;
  if (register.completed || !can(user, ['booking.create', 'booking.update'])) return null;
  return (
    <section className={`app-card ${layout.block}`} aria-label="Planning">
      {can(user, 'booking.create') && (
        <Picker
          from="people"
          label={full ? 'Add somebody to the waiting list' : 'Add somebody to the list'}
          description={full && 'The session is full. When a place is free, the first who waits gets it and is told.'}
          except={[...register.delegates.flatMap((d) => (d.user && isOnRegister(d) ? [d.user.id] : [])), ...waiting.people.map((w) => w.user.id)]}
          value={null}
          error={notListed}
          onChange={(person) =>
            person &&
            void (
              full ? waiting.add(person.id) : change(call('POST /training-sessions/{id}/delegates', { params, body: { user_ids: [person.id] } }))
            ).then(setNotListed)
          }
        />
      )}
      <WaitingList waiting={waiting} />
      <GiveDelegates register={register} reload={reload} />
      {can(user, 'booking.update') && (
        <div className={layout.tools}>
          <Button variant="default" component={Link} to={pathTo('training-sessions-update-by-id', { id: register.id })}>
            Change the session
          </Button>
          {!register.cancelled && !cancelling && (
            <Button variant="subtle" color="red" onClick={() => setCancelling(true)}>
              Cancel it …
            </Button>
          )}
        </div>
      )}
      {cancelling && !register.cancelled && (
        <CancelSession {...{ register, booked: on.length }} onClose={() => setCancelling(false)} onCancelled={() => void reload()} />
      )}
    </section>
  );
};

/** Messages about a session that was cancelled or moved while its register was being taken. */
const TakenAllTheSame = ({ register, change }: { register: Register; change: Change }) => {
  const user = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  const { cancelled, held, completed, taken_on } = register;
  if (!cancelled && !taken_on) return null;
  const say = (to: boolean) =>
    void change(call('POST /training-sessions/{id}/held', { params: { id: register.id }, body: { held: to } })).then(setProblem);
  return (
    <div className={`${layout.notice} ${layout.block}`} data-tone={held && !taken_on ? 'ok' : 'warning'} role="status">
      {cancelled && (
        <strong>
          {held
            ? `It was cancelled, and took place all the same.`
            : `${cancelled.by.name} cancelled this session, ${formatMoment(cancelled.at)}: ${cancellationWords(cancelled.reason_id, cancelled.notes)}`}
        </strong>
      )}
      {taken_on && (
        <strong>
          It was moved to {formatDay(register.date)}, and its register was finished for {formatDay(taken_on)}, a day that it had before.
        </strong>
      )}
      {cancelled && !completed && (
        <span>Is it taking place all the same? Take the register: it is kept, and {cancelled.by.name} is asked whether it counts.</span>
      )}
      {needsOutcome(register) && (
        <span>A register was taken all the same and is kept. It counts once somebody confirms that the session took place.</span>
      )}
      {held === false && <span>It did not take place. The register is kept, and is in nobody’s record.</span>}
      {needsOutcome(register) && can(user, 'booking.update') && (
        <div className={layout.tools}>
          <Button onClick={() => say(true)}>It took place{taken_on && ` on ${formatDay(taken_on)}`}</Button>
          <Button variant="default" onClick={() => say(false)}>
            It did not
          </Button>
        </div>
      )}
      {held !== null && !taken_on && can(user, 'booking.update') && (
        <div className={layout.tools}>
          <Button variant="default" onClick={() => say(!held)}>
            {held ? 'It did not take place after all' : 'It took place after all'}
          </Button>
        </div>
      )}
      {problem && <span role="alert">{problem}</span>}
    </div>
  );
};

const Taking = ({ register, change, reload }: { register: Register; change: Change; reload: () => Promise<void> }) => {
  const db = usePersonDb();
  const me = useSession();
  const [changing, setChanging] = useState(false);
  const come = hasStarted(register, today());
  const finished = register.completed !== null;
  // A finished register is only changed after confirmation; one of a coming session cannot be taken yet.
  const takes = can(me, 'delegate.mark') && come && (!finished || changing);
  const on = register.delegates.filter(isOnRegister).sort((a, b) => (a.name < b.name ? -1 : 1));
  const open = on.filter((d) => currentMark(d) === null);
  const present = on.filter((d) => currentMark(d)?.presence === 'present');
  const missing = on.length - present.length - open.length;
  const choices = useChoices('register', register.id);
  const choicesOf = (delegate: Delegate) => choices.filter((c) => [delegate.id, ...delegate.also].includes(c.lane.split('/')[1] ?? ''));
  const shown = new Set(on.flatMap(choicesOf).map((c) => c.id));
  /** Returns whether it is saved on this device; if not, a message is shown. */
  const saved = async (work: (by: NonNullable<typeof me>) => Promise<unknown>): Promise<boolean> => {
    if (!me) return false;
    try {
      await work(me);
      return true;
    } catch (error) {
      const full = error instanceof NotSaved && error.reason === 'full';
      notify(
        'error',
        full ? 'This device is full: that is not saved. Make room, and note it again.' : 'This could not be saved on the device. Please try again.',
      );
      return false;
    }
  };
  const mark = (delegate: Delegate, to: MarkArgs) => saved((by) => markDelegate(db, by, register, delegate, to));
  // People whose attendance is already recorded are left as they are.
  const checkedIn = open.filter((d) => d.checked_in);
  const markPresent = async (delegates: readonly Delegate[]) => {
    for (const delegate of delegates)
      if (!(await mark(delegate, { presence: 'present', arrived: null, left: null, outcome: null, note: '' }))) return;
  };
  // People whose outcome is already recorded, or scored one by one, are left as they are.
  const inParts = register.grading_method === 'practical_theory';
  const ungraded = register.grading_method === 'score' ? [] : present.filter((d) => !isGraded(register, currentMark(d) as Mark));
  const markPassed = async () => {
    for (const delegate of ungraded) {
      const { arrived, left, note, outcome, theory } = currentMark(delegate) as Mark;
      const passed = { outcome: outcome ?? ('passed' as const), ...(inParts && { theory: theory ?? ('passed' as const) }) };
      if (!(await mark(delegate, { presence: 'present', arrived, left, note, ...passed }))) return;
    }
  };
  return (
    <section className={layout.page} aria-label="Register">
      <div className={layout.head}>
        <Title order={2} size="h3">
          Register
        </Title>
        <span className={layout.count} role="status">
          {countOf(on.length, 'person', 'people')}, {present.length} here
          {finished && missing > 0 ? `, ${missing} did not come` : ''}
          {open.length > 0 ? `, ${open.length} not noted yet` : ''}
        </span>
      </div>
      <OpenChoices choices={choices.filter((c) => !shown.has(c.id))} />
      {on.length === 0 && (
        <EmptyState icon={<IconPeople size={36} />} title="Nobody is on the list yet">
          Add people below as they come.
        </EmptyState>
      )}
      {can(me, 'delegate.mark') && !come && (
        <p className={layout.notice} data-tone="ok" role="status">
          The register is taken on the day: {nearDay(register.date)}, from {register.startTime}. Until then this is the list.
        </p>
      )}
      {can(me, 'delegate.mark') && come && finished && !changing && (
        <div className={layout.tools}>
          <Button variant="default" onClick={() => setChanging(true)}>
            Change what was noted …
          </Button>
        </div>
      )}
      {can(me, 'delegate.mark') && <ShowCheckInCode register={register} reload={reload} />}
      {takes && !finished && (checkedIn.length > 0 || open.length > 1 || ungraded.length > 1) && (
        <div className={layout.tools}>
          {checkedIn.length > 0 && (
            <Button variant="default" onClick={() => void markPresent(checkedIn)}>
              Note all who checked in as present ({checkedIn.length})
            </Button>
          )}
          {open.length > 1 && (
            <Button variant="default" onClick={() => void markPresent(open)}>
              {open.length === on.length ? 'Everybody is here' : `The other ${open.length} are here`}
            </Button>
          )}
          {ungraded.length > 1 && (
            <Button variant="default" onClick={() => void markPassed()}>
              {ungraded.length === present.length ? 'Everybody passed' : `The other ${ungraded.length} passed`}
              {inParts ? ' both parts' : ''}
            </Button>
          )}
        </div>
      )}
      <ul className={layout.list} aria-label="Delegates">
        {on.map((delegate) => (
          <li key={delegate.id}>
            <DelegateCard
              {...{ register, delegate, change }}
              takes={takes}
              matches={can(me, 'delegate.mark')}
              choices={choicesOf(delegate)}
              onMark={(to) => mark(delegate, to)}
            />
          </li>
        ))}
      </ul>
      <OffTheList register={register} change={change} />
      {takes && <WalkIn register={register} onAdd={(args) => saved((by) => addWalkIn(db, by, register, args))} />}
      {(takes || finished) && on.length > 0 && <Finish register={register} open={open.length} here={present.length} saved={saved} />}
    </section>
  );
};

/** The plan: when, where, by whom, and what it is about. */
const Plan = ({ register }: { register: Register }) => {
  const { minDelegates, maxDelegates, virtual, joining_link } = register;
  const [least, most] = [minDelegates && `held for at least ${minDelegates}`, maxDelegates && `room for ${maxDelegates}`];
  const texts = [
    ['Area', register.area],
    ['Aim', register.aim],
    ['What to bring', register.bring],
    ['Learning outcomes', register.learningOutcomes],
    ['Content covered', register.contentCovered],
  ].filter(([, text]) => text);
  return (
    <>
      <p className={`${layout.stack} ${layout.tight} ${classes.facts}`}>
        <strong>
          {nearDay(register.date)}, {timesWords(register)}
        </strong>
        <span>{[virtual && 'Virtual', register.venue, register.room].filter(Boolean).join(', ')}</span>
        <span className={layout.soft}>
          {[
            register.external_provider ? `${register.external_trainer} (from outside)` : register.trainer.name,
            register.external_provider && `${register.trainer.name} takes the register`,
            gradingWords(register),
            register.series && `number ${register.series.no} of a series of ${register.series.of}`,
            least,
            most,
            register.availableTo === 'clients' && 'clients can book it',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {virtual && (
          <span>
            {webAddress(joining_link) ? (
              <a href={joining_link} target="_blank" rel="noreferrer">
                Joining link
              </a>
            ) : (
              'The joining link is not known yet.'
            )}
          </span>
        )}
      </p>
      {texts.length > 0 && (
        <dl className={`${layout.stack} ${shapes.facts}`}>
          {texts.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
};

/** A training session and its register, online or offline. */
export const Component = () => {
  const { id = '' } = useParams();
  const { register, problem, reload, change } = useRegister(id);
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {register?.course.name ?? 'Register'}
      </Title>
      {register && problem && !problem.offline && (
        <div className={`${layout.notice} ${layout.block}`} data-tone="warning" role="alert">
          <strong>This session is no longer open to you: {problem.message}</strong>
          <span>What you noted on this device is kept. You see the register as this device last received it.</span>
        </div>
      )}
      {!register && !problem && <LoadingState label="Loading the register" />}
      {!register && problem?.offline && <OfflineState what={problem.message} onRetry={() => void reload()} />}
      {!register && problem && !problem.offline && <ErrorState message={problem.message} onRetry={() => void reload()} />}
      {register && (
        <>
          <div className={`app-card ${layout.block}`}>
            <Plan register={register} />
            <SessionState
              row={{
                ...register,
                ...{
                  present: register.delegates.filter((d) => currentMark(d)?.presence === 'present').length,
                  delegates: register.delegates.filter((d) => d.removed === null).length,
                },
              }}
            />
            <PrintRegister id={register.id} />
          </div>
          <TakenAllTheSame register={register} change={change} />
          <Office register={register} change={change} reload={reload} />
          {register.completed && <GiveDelegates register={register} reload={reload} />}
          <Documents register={register} />
          <SessionEvaluation register={register} />
          <SessionOutcome register={register} change={change} reload={reload} />
          <Taking register={register} change={change} reload={reload} />
        </>
      )}
    </div>
  );
};
