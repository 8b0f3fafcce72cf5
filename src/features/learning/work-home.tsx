import { Button, Title } from '@mantine/core';
import { useLiveQuery } from 'dexie-react-hooks';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { kindOf } from '#src/access/person-kind.ts';
import { can } from '#contract/can.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { isOnRegister } from '#contract/rules/register.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs } from '#src/access/session.ts';
import { useLine } from '#src/device/line.ts';
import { keepTeam, keptTeam } from '#src/device/team.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { SetupSteps } from '#src/features/learning/setup-steps.tsx';
import classes from '#src/features/learning/work-home.module.css';
import { countOf, dayOf, formatDay } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconAlert, IconChevronRight } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { LoadingState } from '#src/ui/states.tsx';

const today = () => dayOf(correctedNow());
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
        <Button variant="subtle" component={Link} to={all.to}>
          {all.label}
        </Button>
      )}
    </div>
    {children}
  </section>
);

type FigureProps = { to: string; label: string; count: number | null; tone?: 'danger' | 'warning' | undefined };
const Figure = ({ to, label, count, tone }: FigureProps) => (
  <Link to={to} className={`app-card ${classes.figure}`} data-tone={count ? tone : undefined}>
    <strong>{count ?? '–'}</strong>
    <span>{label}</span>
  </Link>
);

/** Certificates that wait for approval: asked for after the page is shown; a dash without a connection. */
const Approvals = () => {
  const { state } = useRead('GET /care-certificates/overview', {});
  const count = state.kind === 'here' ? state.thing.people.filter((p) => p.waiting).length : null;
  return <Figure to={pathTo('care-certificate-overview')} label="waiting for approval" count={count} tone="warning" />;
};
const SilentDevices = () => {
  const { state } = useRead('GET /devices', {});
  const since = Date.now() - silentDays * 86_400_000;
  const count = state.kind === 'here' ? state.thing.filter((d) => Date.parse(d.contact_at) < since).length : null;
  return <Figure to={pathTo('devices')} label={`devices not heard for ${silentDays} days`} count={count} tone="warning" />;
};

/** The people one looks after who need something, from what this device keeps of them. */
const People = ({ user }: { user: AuthUser }) => {
  const db = usePersonDb();
  const hasLine = useLine();
  const team = useLiveQuery(() => keptTeam(db.personId), [db]);
  useEffect(() => {
    if (team === null && hasLine) void keepTeam().catch(() => undefined);
  }, [team, hasLine]);
  const all = (team?.people ?? []).map((person) => ({
    ...person,
    overdue: person.must.filter((c) => c.status === 'expired' || c.status === 'missing'),
    soon: person.must.filter((c) => c.status === 'expiring'),
  }));
  const late = all.filter((p) => p.overdue.length > 0).sort((a, b) => b.overdue.length - a.overdue.length);
  const count = (n: number) => (team ? n : null);
  const people = pathTo('users');
  return (
    <>
      <div className={classes.figures}>
        <Figure to={people} label={`of ${count(all.length) ?? '–'} people up to date`} count={count(all.length - late.length)} />
        <Figure to={people} label="people with overdue training" count={count(late.length)} tone="danger" />
        <Figure to={people} label="people whose training expires soon" count={count(all.filter((p) => p.soon.length > 0).length)} tone="warning" />
        {can(user, 'care_certificate.approve') && <Approvals />}
        {can(user, 'record.search') && <SilentDevices />}
      </div>
      <Part title="People who need something" all={{ to: people, label: 'All people' }}>
        {!team && hasLine && <LoadingState rows={2} label="Loading people" />}
        {!team && !hasLine && <p className={layout.count}>Needs a connection once; then it is kept on this device.</p>}
        {team && late.length === 0 && <p className={layout.count}>Nobody has overdue training.</p>}
        {late.length > 0 && (
          <ul className={classes.rows}>
            {late.slice(0, shownPeople).map((person) => (
              <li key={person.id}>
                <Link to={pathTo('users-by-uuid', { uuid: person.id })} className={classes.row}>
                  <span>
                    <strong>{person.name}</strong>
                    <small className={layout.soft}>{[person.role, person.place].filter(Boolean).join(' · ')}</small>
                  </span>
                  <span className={layout.soft}>{person.overdue.map((c) => c.course_title).join(', ')}</span>
                  <span className={layout.badge} data-tone="danger">
                    <IconAlert size={18} />
                    {person.overdue.length} overdue
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
        {team && !hasLine && <p className={layout.count}>As it stood on {formatDay(team.at)}.</p>}
      </Part>
    </>
  );
};

/** The sessions that one gives today and next, from the registers that this device keeps. */
const Sessions = () => {
  const db = usePersonDb();
  const registers = useLiveQuery(() => db.registers.toArray(), [db]);
  const coming = (registers ?? [])
    .filter((r) => r.date >= today() && !r.cancelled && r.trainer.id === db.personId)
    .sort((a, b) => (`${a.date} ${a.startTime}` < `${b.date} ${b.startTime}` ? -1 : 1));
  return (
    <Part title="Your sessions" all={{ to: pathTo('training-sessions'), label: 'All registers' }}>
      {registers && coming.length === 0 && <p className={layout.count}>No sessions in the next days.</p>}
      <ul className={classes.rows}>
        {coming.slice(0, shownSessions).map((r) => (
          <li key={r.id} className={classes.row}>
            <span>
              <strong>{r.course.name}</strong>
              <small className={layout.soft}>
                {r.date === today() ? 'Today' : formatDay(r.date)}, {r.startTime} to {r.endTime} · {[r.venue, r.room].filter(Boolean).join(', ')}
              </small>
            </span>
            <span className={layout.soft}>{countOf(r.delegates.filter(isOnRegister).length, 'person', 'people')} on the list</span>
            <Button component={Link} to={pathTo('training-sessions-by-id', { id: r.id })} variant={r.date === today() ? 'filled' : 'default'}>
              {r.date === today() ? 'Take register' : 'Open'}
            </Button>
          </li>
        ))}
      </ul>
    </Part>
  );
};

/** Whom one assesses, with the way to record what they did. */
const Assessed = ({ user }: { user: AuthUser }) => {
  const brand = useBrand();
  const db = usePersonDb();
  const kept = useLiveQuery(() => db.certificates.toArray(), [db]);
  const { state } = useRead('GET /care-certificates', { query: { state: 'in_progress' } });
  const rows =
    state.kind === 'here'
      ? state.thing.map((r) => ({ id: r.id, person: r.user, about: `${r.met} of ${r.of} criteria met` }))
      : state.kind === 'loading'
        ? null
        : (kept ?? []).map((c) => ({ id: c.id, person: c.user, about: 'On this device' }));
  const others = rows?.filter((r) => r.person.id !== user.uuid) ?? null;
  return (
    <Part title="People you assess" all={{ to: pathTo('care-certificate'), label: brand.certificateGroupMenuName }}>
      {!others && <LoadingState rows={2} label="Loading people" />}
      {others?.length === 0 && <p className={layout.count}>Nobody is being assessed now.</p>}
      <ul className={classes.rows}>
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

/** What comes before one's own courses on the home page of who looks after others: trainers, managers, administrators. */
export const WorkHome = ({ user, onReady }: { user: AuthUser; onReady: () => void }) => {
  const acting = useActingAs();
  useEffect(onReady, [onReady]);
  const slug = acting?.slug ?? user.primary_entity.slug;
  const looksAfter = !['learner', 'trainer'].includes(kindOf(user));
  return (
    <>
      {can(user, 'entity.update') && <SetupSteps slug={slug} key={slug} />}
      {can(user, 'delegate.mark') && !looksAfter && <Sessions />}
      {can(user, 'observation.create') && !looksAfter && <Assessed user={user} />}
      {looksAfter && can(user, 'user.search') && !acting && <People user={user} />}
    </>
  );
};
