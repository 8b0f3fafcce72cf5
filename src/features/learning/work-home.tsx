import { Button, Title } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { dashboardQuestions, dashboardTitles } from '#contract/dashboard-titles.ts';
import type { Register } from '#contract/entities/training-session.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { isOnRegister } from '#contract/rules/register.ts';
import { protocol } from '#contract/protocol.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { kindOf } from '#src/access/person-kind.ts';
import { useActingAs } from '#src/access/session.ts';
import { useLine } from '#src/device/line.ts';
import { keepRegisters } from '#src/device/registers.ts';
import { keepNeeds, keptNeeds } from '#src/device/team.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { SetupSteps } from '#src/features/learning/setup-steps.tsx';
import classes from '#src/features/learning/work-home.module.css';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { nearDay, today } from '#src/device/near-day.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { FewCourses } from '#src/screens/few-courses.tsx';
import { dashboardsFor } from '#src/screens/widgets/dashboards.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconAlert, IconChevronRight } from '#src/ui/icons.tsx';
import figures from '#src/ui/figures.module.css';
import layout from '#src/ui/page.module.css';
import { ErrorState, LoadingState } from '#src/ui/states.tsx';
import { Badge } from '#src/ui/badge.tsx';

const silentDays = 7;
const shownPeople = 6;
const shownSessions = 4;

type PartProps = { title: string; all?: { to: string; label: string }; children: ReactNode };
const Part = ({ title, all, children }: PartProps) => (
  <section className={`app-card ${layout.block}`} aria-label={title}>
    <div className={layout.head}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {all && (
        <Button variant="subtle" className={classes.all} component={Link} to={all.to}>
          {all.label}
        </Button>
      )}
    </div>
    {children}
  </section>
);

const neverKept = 'Needs a connection once; then it is kept on this device.';

type Fetched = boolean | 'counting';
/**
 * Fetches the data of a part whenever there is a connection. `answered`: null until the server has, false if the request failed; 'counting'
 * while the server does not know it yet, and is asked again.
 */
const useFetched = (fetch: () => Promise<Fetched>) => {
  const hasLine = useLine();
  const [answered, setAnswered] = useState<Fetched | null>(null);
  const refetch = useCallback(() => {
    setAnswered(null);
    void fetch().then(setAnswered, () => setAnswered(false));
  }, [fetch]);
  useEffect(() => {
    if (hasLine) refetch();
  }, [hasLine, refetch]);
  useEffect(() => {
    if (answered !== 'counting') return;
    const timer = setTimeout(refetch, protocol.pollIntervalMs);
    return () => clearTimeout(timer);
  }, [answered, refetch]);
  return { hasLine, answered, ask: refetch };
};
/** Shown in place of data that this device does not have: it is loading, could not be fetched, or needs a connection. */
const NotKept = ({ fetched: { hasLine, answered, ask }, what }: { fetched: ReturnType<typeof useFetched>; what: string }) =>
  !hasLine ? (
    <p className={layout.count}>{neverKept}</p>
  ) : answered === false ? (
    <ErrorState message={`The ${what} could not be loaded.`} onRetry={ask} />
  ) : (
    <LoadingState rows={2} label={`Loading ${what}`} />
  );

type FigureProps = { label: string; count: number | null; tone?: 'danger' | 'warning' } & (
  | { to: string }
  | { pressed: boolean; onPress: () => void }
);
/** A number with its label: links to a page, or filters the list below. */
const Figure = ({ label, count, tone, ...leads }: FigureProps) => {
  const look = { className: `app-card ${figures.figure}`, 'data-tone': count ? tone : undefined };
  const content = (
    <>
      <strong>{count?.toLocaleString('en-GB') ?? '–'}</strong>
      <span>{label}</span>
    </>
  );
  return 'to' in leads ? (
    <Link to={leads.to} {...look}>
      {content}
    </Link>
  ) : (
    <button type="button" aria-pressed={leads.pressed} onClick={leads.onPress} {...look}>
      {content}
    </button>
  );
};

/** Certificates that wait for approval: fetched after the page is shown; a dash when offline. */
const Approvals = () => {
  const brand = useBrand();
  const { state } = useRead('GET /dashboards/waiting', {});
  const count = state.kind === 'loaded' ? state.data.certificates : null;
  return <Figure to={pathTo('care-certificate-overview')} label={`${brand.certificateGroupMenuName} to approve`} count={count} tone="warning" />;
};
const SilentDevices = () => {
  const { state } = useRead('GET /devices', {});
  const since = correctedNow().getTime() - silentDays * 86_400_000;
  const count = state.kind === 'loaded' ? state.data.filter((d) => Date.parse(d.contact_at) < since).length : null;
  return <Figure to={pathTo('devices')} label={`devices not connected for ${silentDays} days`} count={count} tone="warning" />;
};

const needs = {
  overdue: { tone: 'danger', badge: 'overdue', nobody: 'Nobody has overdue training.', filter: '' },
  soon: { tone: 'warning', badge: 'to renew within 30 days', nobody: 'Nobody turns red within 30 days.', filter: '?filter=soon' },
} as const;
type Need = keyof typeof needs;

/** How many of the user's people need something, and who needs most, from the figures stored on this device. */
const People = ({ user }: { user: AuthUser }) => {
  const db = usePersonDb();
  const fetched = useFetched(keepNeeds);
  const kept = useLiveQuery(() => keptNeeds(db.personId), [db]);
  const [need, setNeed] = useState<Need>('overdue');
  const list = kept?.most[need] ?? [];
  const people = pathTo('users');
  const everybody = pathTo('manager-dashboard-people');
  const chooses = (which: Need) => ({
    pressed: need === which,
    onPress: () => setNeed(which),
    tone: needs[which].tone,
    count: kept ? kept[which] : null,
  });
  return (
    <>
      <div className={figures.figures}>
        <Figure
          to={people}
          label={`of ${kept ? countOf(kept.people, 'person', 'people') : '– people'} up to date`}
          count={kept ? kept.people - kept.overdue : null}
        />
        <Figure label="people with overdue training" {...chooses('overdue')} />
        <Figure label="people red within 30 days" {...chooses('soon')} />
        {can(user, 'care_certificate.approve') && <Approvals />}
        {can(user, 'record.search') && <SilentDevices />}
      </div>
      <Part title="People who need something" all={{ to: people, label: 'All people' }}>
        {kept === null && fetched.answered === 'counting' && <LoadingState rows={2} label="Counting, for the first time" />}
        {kept === null && fetched.answered !== 'counting' && <NotKept fetched={fetched} what="people" />}
        {kept?.[need] === 0 && <p className={layout.count}>{needs[need].nobody}</p>}
        {list.length > 0 && (
          <ul className={layout.lines}>
            {list.map(({ id, name, role, place, courses }) => (
              <li key={id}>
                <Link to={pathTo('users-by-uuid', { uuid: id })} className={classes.row}>
                  <span>
                    <strong>{name}</strong>
                    <small className={layout.soft}>{[role, place].filter(Boolean).join(' · ')}</small>
                  </span>
                  <FewCourses courses={courses} />
                  <Badge tone={needs[need].tone} icon={IconAlert}>
                    {courses.length} {needs[need].badge}
                  </Badge>
                </Link>
              </li>
            ))}
          </ul>
        )}
        {kept && kept[need] > list.length && can(user, needOf('manager-dashboard-people')) && (
          <Button variant="default" component={Link} to={`${everybody}${needs[need].filter}`}>
            Show all {kept[need].toLocaleString('en-GB')} people
          </Button>
        )}
        {kept && <p className={layout.count}>As it stood on {formatMoment(kept.at)}.</p>}
      </Part>
    </>
  );
};

/** Whether a register is still to be taken: today, and not finished yet. */
const takes = (r: Pick<Register, 'date' | 'completed'>): boolean => r.date === today() && r.completed === null;

/** The trainer's sessions today and next, from the registers stored on this device. */
const Sessions = () => {
  const db = usePersonDb();
  const fetched = useFetched(keepRegisters);
  const registers = useLiveQuery(() => db.registers.toArray(), [db]);
  const coming = (registers ?? [])
    .filter((r) => r.date >= today() && !r.cancelled && !r.gone && r.trainer.id === db.personId)
    .sort((a, b) => (`${a.date} ${a.startTime}` < `${b.date} ${b.startTime}` ? -1 : 1));
  return (
    <Part title="Your sessions" all={{ to: pathTo('training-sessions'), label: 'All registers' }}>
      {registers &&
        coming.length === 0 &&
        (fetched.answered ? <p className={layout.count}>No sessions in the next 7 days.</p> : <NotKept fetched={fetched} what="sessions" />)}
      {coming.length > 0 && !fetched.hasLine && <p className={layout.count}>No connection: as this device last received them.</p>}
      <ul className={layout.lines} data-middle="short">
        {coming.slice(0, shownSessions).map((r) => (
          <li key={r.id} className={classes.row}>
            <span>
              <strong>{r.course.name}</strong>
              <small className={layout.soft}>
                {nearDay(r.date)}, {timesWords(r)} · {[r.venue, r.room].filter(Boolean).join(', ')}
              </small>
            </span>
            <span className={layout.soft}>{countOf(r.delegates.filter(isOnRegister).length, 'person', 'people')} on the list</span>
            <Button component={Link} to={pathTo('training-sessions-by-id', { id: r.id })} variant={takes(r) ? 'filled' : 'default'}>
              {takes(r) ? 'Take register' : 'Open'}
            </Button>
          </li>
        ))}
      </ul>
    </Part>
  );
};

/** The certificates in progress that the user can see, with a link to record an observation. */
const Assessed = ({ user }: { user: AuthUser }) => {
  const brand = useBrand();
  const db = usePersonDb();
  const kept = useLiveQuery(() => db.certificates.toArray(), [db]);
  const { state } = useRead('GET /care-certificates', { query: { state: 'in_progress' } });
  const rows =
    state.kind === 'loaded'
      ? state.data.map((r) => ({ id: r.id, person: r.user, about: `${r.met} of ${r.of} criteria met` }))
      : state.kind === 'loading'
        ? null
        : (kept ?? []).filter((c) => c.approved_at === null).map((c) => ({ id: c.id, person: c.user, about: 'On this device' }));
  const others = rows?.filter((r) => r.person.id !== user.uuid) ?? null;
  return (
    <Part title={`${brand.certificateGroupMenuName} in progress`} all={{ to: pathTo('care-certificate'), label: 'All certificates' }}>
      {!others && <LoadingState rows={2} label="Loading people" />}
      {others?.length === 0 && <p className={layout.count}>{state.kind === 'loaded' ? 'Nobody is being assessed now.' : neverKept}</p>}
      <ul className={layout.lines}>
        {others?.slice(0, shownPeople).map(({ id, person, about }) => (
          <li key={id} className={classes.row}>
            <Link to={pathTo('care-certificate-by-uuid', { uuid: id })}>{person.name}</Link>
            <span className={layout.soft}>{about}</span>
            <Button
              variant="default"
              component={Link}
              to={pathTo('care-certificate-record', { uuid: id })}
              rightSection={<IconChevronRight size={18} />}
            >
              Record
            </Button>
          </li>
        ))}
      </ul>
    </Part>
  );
};

/** The part of the home page above the user's own courses, for trainers, managers and administrators. */
export const WorkHome = ({ user, onReady }: { user: AuthUser; onReady: () => void }) => {
  const acting = useActingAs();
  useEffect(onReady, [onReady]);
  const slug = acting?.slug ?? user.primary_entity.slug;
  const looksAfter = !['learner', 'trainer'].includes(kindOf(user));
  const dashboards = dashboardsFor(user);
  return (
    <>
      {dashboards.length > 0 && (
        <nav className={`${layout.tools} ${classes.dashboards}`} aria-label="Dashboards">
          {dashboards.map((route) => (
            <Button key={route} variant="default" h={56} component={Link} to={pathTo(route)}>
              <span className={classes.dashboard}>
                {dashboardTitles[route]}
                <small> {dashboardQuestions[route]}</small>
              </span>
            </Button>
          ))}
        </nav>
      )}
      {can(user, 'entity.update') && <SetupSteps slug={slug} key={slug} />}
      {can(user, 'delegate.mark') && !looksAfter && <Sessions />}
      {can(user, 'observation.create') && !looksAfter && <Assessed user={user} />}
      {looksAfter && can(user, 'user.search') && !acting && <People user={user} />}
    </>
  );
};
