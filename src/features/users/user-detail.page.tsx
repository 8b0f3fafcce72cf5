import { Button, Progress } from '@mantine/core';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { notesNeed, type UserRow, userFieldNeeds } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { AccountActivity } from '#src/features/users/account-activity.tsx';
import { PersonForecast } from '#src/features/users/person-forecast.tsx';
import { PersonalDevelopment } from '#src/features/users/personal-development.tsx';
import { recordCourses } from '#src/features/users/record-courses.ts';
import { RequiredCourses } from '#src/features/users/required-courses.tsx';
import { Notes } from '#src/features/users/notes.tsx';
import { TrainingRecord } from '#src/features/users/training-record.tsx';
import { KeptPerson } from '#src/features/users/kept-people.tsx';
import { ComplianceBadge } from '#src/features/users/compliance-badge.tsx';
import classes from '#src/features/users/users.module.css';
import layout from '#src/ui/page.module.css';
import { dayOf, formatDay } from '#src/lib/format.ts';
import { today } from '#src/device/near-day.ts';
import { readPerson } from '#src/device/own-pages.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { useKeptRead } from '#src/screens/use-kept-read.ts';
import { AsOf } from '#src/ui/as-of.tsx';
import { IconKey, IconMail } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { ErrorState, LoadingState } from '#src/ui/states.tsx';
import { PersonActions } from '#src/screens/people-actions.tsx';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import { Section } from '#src/ui/section.tsx';

/** On leave from 01/12/2026 to 31/01/2027; empty once it is over. */
const leaveWords = ({ leave_from: from, leave_until: until }: UserRow) =>
  from && (!until || until >= dayOf(correctedNow())) ? `On leave from ${formatDay(from)}${until ? ` to ${formatDay(until)}` : ''}` : null;

/** One person: their compliance, training record, notes, and permissions. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const me = useSession();
  const navigate = useNavigate();
  const isOwn = uuid === me?.uuid;
  const { state, asOf, retry } = useKeptRead(isOwn ? 'own-record' : null, ['person', uuid], () => readPerson(uuid));
  if (state.kind === 'loading') return <LoadingState label="Loading the person" />;
  if (state.kind === 'offline') return <KeptPerson uuid={uuid} onRetry={retry} />;
  if (state.kind === 'error') return <ErrorState order={1} message={state.message} onRetry={retry} />;
  const { user, must, records, attempts, evidence } = state.data;
  const online = asOf === null;
  const open = attempts.filter((a) => a.state !== 'graded' && !a.closed);
  const welcome = async () => {
    const result = await call('POST /users/{id}/send-welcome-email', { params: { id: uuid } });
    if (result.kind === 'ok') notify('success', result.data.message);
    else notify('error', sentenceOf(result));
  };
  const roles = [...(user.role ? [user.role] : []), ...user.more_roles].map((r) => r.name);
  const overview = {
    content: (
      <>
        {open.length > 0 && (
          <Section title="Working on">
            {open.map((a) => (
              <div key={a.id} className={`${layout.stack} ${layout.tight} ${classes.working}`}>
                <strong>{a.content_title}</strong>
                <Progress value={a.percent} size="lg" radius="xl" aria-label={`Progress in ${a.content_title}`} />
                <span>
                  {a.percent} %{a.submissions.length > 0 ? `, last quiz ${a.submissions.at(-1)?.score} %` : ''}
                </span>
              </div>
            ))}
          </Section>
        )}
        {must.length === 0 && open.length === 0 ? (
          <Section title="Required training">
            <p className={layout.count}>
              {roles.length > 0 ? 'No training is required for their job roles.' : 'Without a job role, no training is required.'}
            </p>
          </Section>
        ) : (
          <>
            {online && !user.disabled_at && must.length > 0 && <PersonForecast uuid={uuid} />}
            <RequiredCourses
              userId={uuid}
              courses={must}
              bulk={online && can(me, needOf('results-historical-create')) ? recordCourses(navigate, uuid) : undefined}
            />
          </>
        )}
      </>
    ),
    aside: online && can(me, 'content.available_courses') && <PersonalDevelopment uuid={uuid} />,
  };
  const record = (
    <>
      <TrainingRecord uuid={uuid} own={isOwn} records={records} online={online} reload={retry} />
      {evidence.length > 0 && (
        <Section title="Kept as evidence" id="evidence">
          {evidence.map((e) => (
            <p key={e.id} className={layout.count}>
              {(e.payload as { sentence?: string } | null)?.sentence ?? 'Work that did not count'} · {formatDay(e.at)} · {e.message}
            </p>
          ))}
        </Section>
      )}
    </>
  );
  const access = (
    <>
      <Facts
        title="Account"
        facts={[
          ['User type', user.type?.name ?? 'None'],
          ['Trainer', user.is_trainer ? 'Yes' : 'No'],
          ['Signs in with', user.email],
          ['Password', user.has_password ? 'Set' : 'Not set yet'],
        ]}
        tools={
          <div className={layout.tools}>
            {can(me, 'care_certificate.approve') && !isOwn && (
              <Button variant="default" component={Link} to={pathTo('users-by-uuid-competence', { uuid })}>
                Competence to assess
              </Button>
            )}
            {can(me, ['user_permission.view', 'user_permission.update']) && (
              <Button variant="default" component={Link} to={pathTo('users-by-uuid-permissions', { uuid })} leftSection={<IconKey size={20} />}>
                Permissions
              </Button>
            )}
          </div>
        }
      />
      {online && (isOwn || can(me, 'user.activity')) && <AccountActivity uuid={uuid} name={user.name} />}
    </>
  );
  return (
    <DetailPage
      title={user.name}
      badge={<ComplianceBadge courses={user.courses} of={user} />}
      about={[
        ...[...roles, user.primary_entity.name, user.email, `${user.started_on > today() ? 'Starts' : 'Started'} on ${formatDay(user.started_on)}`],
        leaveWords(user),
        user.disabled_at && `Left on ${formatDay(user.disabled_at)}`,
      ]}
      actions={
        <>
          {online && !isOwn && !user.disabled_at && <PersonActions person={{ id: uuid, name: user.name }} />}
          {!user.has_password && can(me, ['user.create', 'user.update', 'user.reset_password']) && (
            <Button variant="default" leftSection={<IconMail size={20} />} onClick={() => void welcome()}>
              Send welcome e-mail
            </Button>
          )}
          {(can(me, Object.values(userFieldNeeds)) || (isOwn && can(me, 'user.self_update'))) && (
            <Button variant="default" component={Link} to={pathTo('users-update-by-uuid', { uuid })}>
              Change
            </Button>
          )}
        </>
      }
      tabs={[
        { id: 'overview', label: 'Overview', ...overview },
        {
          id: 'record',
          label: 'Training record',
          count: records.filter((r) => r.status !== 'deleted').length,
          places: ['training-record', 'evidence'],
          content: record,
        },
        ...(!isOwn && can(me, notesNeed)
          ? [{ id: 'notes', label: 'Notes', places: ['notes'], content: <Notes uuid={uuid} name={user.name} /> }]
          : []),
        { id: 'access', label: 'Access', places: ['account-activity'], content: access },
      ]}
    >
      {asOf && <AsOf at={asOf} onRetry={retry} />}
    </DetailPage>
  );
};
