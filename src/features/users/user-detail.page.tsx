import { Button, Progress } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { Result as TrainingRecord } from '#contract/entities/result.ts';
import type { PersonCompliance } from '#contract/entities/compliance.ts';
import type { Refusal } from '#contract/entities/refusal.ts';
import { notesNeed, type UserRow, userFieldNeeds } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { downloadCertificate, downloadEvidence, downloadTrainingRecord } from '#src/device/download-certificate.ts';
import { AccountActivity } from '#src/features/users/account-activity.tsx';
import { PersonalDevelopment } from '#src/features/users/personal-development.tsx';
import { RequiredCourses } from '#src/features/users/required-courses.tsx';
import { Notes } from '#src/features/users/notes.tsx';
import { KeptPerson } from '#src/features/users/kept-people.tsx';
import { ComplianceBadge } from '#src/features/users/compliance-badge.tsx';
import classes from '#src/features/users/users.module.css';
import layout from '#src/ui/page.module.css';
import { formatDay } from '#src/lib/format.ts';
import { Table } from '#src/screens/table.tsx';
import { useKeptRead } from '#src/screens/use-kept-read.ts';
import { type Answer, together } from '#src/screens/use-read.ts';
import type { Column } from '#src/screens/table/columns.ts';
import { AsOf } from '#src/ui/as-of.tsx';
import { IconCertificate, IconDownload, IconKey, IconMail } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { EmptyState, ErrorState, LoadingState } from '#src/ui/states.tsx';
import { resultWords } from '#src/lib/result-words.ts';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Section } from '#src/ui/section.tsx';

/** All that the page of a person shows. */
const load = async (uuid: string): Promise<Answer<Loaded>> => {
  const params = { id: uuid };
  const answer = await together(
    call('GET /users/{id}', { params }),
    call('GET /users/{id}/training-records', { params }),
    call('GET /users/{id}/attempts', { params, query: {} }),
    call('GET /users/{id}/refusals', { params }),
    call('GET /users/{id}/compliant-courses', { params }),
  );
  if (answer.kind !== 'ok') return answer;
  const [user, records, attempts, refusals, must] = answer.data;
  return { kind: 'ok', data: { user, records, attempts, evidence: refusals.filter((r) => r.evidence_at !== null), must } };
};
type Loaded = { user: UserRow; must: PersonCompliance[]; records: TrainingRecord[]; attempts: Attempt[]; evidence: Refusal[] };

/** One person: how they stand, their training record, what is noted about them, and what they may do. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const me = useSession();
  const own = uuid === me?.uuid;
  const { state, asOf, retry } = useKeptRead(own ? 'own-record' : null, ['person', uuid], () => load(uuid));
  if (state.kind === 'loading') return <LoadingState label="Loading the person" />;
  if (state.kind === 'offline') return <KeptPerson uuid={uuid} onRetry={retry} />;
  if (state.kind === 'error') return <ErrorState order={1} message={state.message} onRetry={retry} />;
  const { user, must, records, attempts, evidence } = state.thing;
  const online = asOf === null;
  const open = attempts.filter((a) => a.state !== 'graded' && !a.closed);
  const mayDownload = online && can(me, own ? 'certificate.own' : 'certificate.user');
  const welcome = async () => {
    const result = await call('POST /users/{id}/send-welcome-email', { params: { id: uuid } });
    if (result.kind === 'ok') notify('success', result.data.message);
    else notify('error', sentenceOf(result));
  };
  const download = async (record: TrainingRecord) => {
    const problem = await downloadCertificate(record.id);
    if (problem) notify('error', problem);
  };
  const evidenceOf = async (record: TrainingRecord) => {
    const problem = await downloadEvidence(record.id);
    if (problem) notify('error', problem);
  };
  const downloadRecord = async () => {
    const problem = await downloadTrainingRecord(uuid);
    if (problem) notify('error', problem);
  };
  const now = new Date().toISOString();
  const columns: readonly Column<TrainingRecord>[] = [
    { id: 'course', header: 'Course', sort: true, width: 180, grow: 1.6, value: (r) => r.course_title },
    { id: 'kind', header: 'Kind', sort: true, width: 120, grow: 0.5, value: (r) => resultWords.types[r.type] },
    {
      ...{ id: 'completed', header: 'Completed', sort: true, width: 120, grow: 0.3 },
      ...{ value: (r) => formatDay(r.completed_at), order: (r) => r.completed_at },
    },
    {
      ...{ id: 'renew', header: 'Renew by', sort: true, width: 150, grow: 0.5 },
      ...{ value: (r) => (r.expires_at ? formatDay(r.expires_at) : 'Does not expire'), order: (r) => r.expires_at ?? '9' },
      cell: (r) => (
        <>
          {r.expires_at ? formatDay(r.expires_at) : 'Does not expire'}{' '}
          {r.expires_at && r.expires_at < now && <Badge tone="danger">out of date</Badge>}
        </>
      ),
    },
    {
      id: 'score',
      header: 'Score',
      sort: true,
      width: 90,
      grow: 0.2,
      align: 'end',
      value: (r) => (r.score === null ? '' : `${r.score} %`),
      order: (r) => r.score,
    },
    {
      ...{ id: 'actions', header: 'Certificate and evidence', width: 150, grow: 0.3, actions: true, value: () => null },
      cell: (r) => (
        <>
          {r.certificate && mayDownload && (
            <Button variant="subtle" px="xs" onClick={() => void download(r)} aria-label={`Download certificate of ${r.course_title}`}>
              <IconCertificate size={22} />
            </Button>
          )}
          {r.evidence && online && (
            <Button variant="subtle" px="xs" onClick={() => void evidenceOf(r)} aria-label={`Download evidence of ${r.course_title}: ${r.evidence}`}>
              <IconDownload size={22} />
            </Button>
          )}
        </>
      ),
    },
  ];
  const roles = [...(user.role ? [user.role] : []), ...user.more_roles].map((r) => r.name);
  const overview = {
    content: (
      <>
        {open.length > 0 && (
          <Section title="Working on">
            {open.map((a) => (
              <div key={a.id} className={classes.working}>
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
          <RequiredCourses courses={must} />
        )}
      </>
    ),
    aside: online && can(me, 'content.available_courses') && <PersonalDevelopment uuid={uuid} />,
  };
  const record = (
    <>
      <Section
        title="Training record"
        id="training-record"
        tools={
          records.length > 0 &&
          mayDownload && (
            <Button variant="default" leftSection={<IconDownload size={20} />} onClick={() => void downloadRecord()}>
              Download as PDF
            </Button>
          )
        }
      >
        {records.length === 0 ? (
          <EmptyState icon={<IconCertificate size={32} />} title="Nothing recorded yet">
            Completed courses appear here.
          </EmptyState>
        ) : (
          <Table label="Training record" name="training record" columns={columns} rows={records} />
        )}
      </Section>
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
            {can(me, 'care_certificate.approve') && !own && (
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
      {online && (own || can(me, 'user.activity')) && <AccountActivity uuid={uuid} name={user.name} />}
    </>
  );
  return (
    <DetailPage
      title={user.name}
      badge={<ComplianceBadge courses={user.courses} />}
      about={[
        ...[...roles, user.primary_entity.name, user.email, `Started on ${formatDay(user.started_on)}`],
        user.disabled_at && `Left on ${formatDay(user.disabled_at)}`,
      ]}
      actions={
        <>
          {!user.has_password && can(me, ['user.create', 'user.update', 'user.reset_password']) && (
            <Button variant="default" leftSection={<IconMail size={20} />} onClick={() => void welcome()}>
              Send welcome e-mail
            </Button>
          )}
          {(can(me, Object.values(userFieldNeeds)) || (own && can(me, 'user.self_update'))) && (
            <Button variant="default" component={Link} to={pathTo('users-update-by-uuid', { uuid })}>
              Change
            </Button>
          )}
        </>
      }
      tabs={[
        { id: 'overview', label: 'Overview', ...overview },
        { id: 'record', label: 'Training record', count: records.length, places: ['training-record', 'evidence'], content: record },
        ...(!own && can(me, notesNeed) ? [{ id: 'notes', label: 'Notes', places: ['notes'], content: <Notes uuid={uuid} name={user.name} /> }] : []),
        { id: 'access', label: 'Access', places: ['account-activity'], content: access },
      ]}
    >
      {asOf && <AsOf at={asOf} onRetry={retry} />}
    </DetailPage>
  );
};
