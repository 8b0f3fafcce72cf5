import '@mantine/core/styles/Combobox.css';
import { Button, Menu, Select } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { type Result, resultLimits, resultTypes } from '#contract/entities/result.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import {
  downloadCertificate,
  downloadCertificates,
  downloadEvidence,
  downloadTrainingRecord,
  downloadWalletCard,
} from '#src/device/download-certificate.ts';
import { useKeptFiles } from '#src/device/kept-files.ts';
import { recordCourses } from '#src/features/users/record-courses.ts';
import { RecordTimeline, timelineColumns } from '#src/features/users/record-timeline.tsx';
import { timelineOf } from '#src/features/users/timeline.ts';
import { countOf, formatDay } from '#src/lib/format.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { completedWords, type ResultStanding, standingOf, standingWords, validUntilWords } from '#src/lib/result-standing.ts';
import { resultWords } from '#src/lib/result-words.ts';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useQuery } from '#src/screens/use-query.ts';
import { WhyButton } from '#src/screens/why-button.tsx';
import { exportRows } from '#src/screens/table/export.ts';
import { ExportMenu } from '#src/screens/table/tools.tsx';
import { queryOfView } from '#src/screens/use-list.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconCertificate, IconDownload, IconPrint, IconUpload } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { EmptyState } from '#src/ui/states.tsx';

/** The filters of the record, by their names in the address; they differ from those of a list of people. */
const ownNames = ['result_type', 'result_status', 'result_view'] as const;
const standings = Object.keys(standingWords) as ResultStanding[];
const isType = (name: string | null): name is Result['type'] => resultTypes.some((type) => type === name);
/** The results that determine compliance. */
const saysHowOneStands: readonly ResultStanding[] = ['counts', 'exempt', 'expired'];
const isStanding = (name: string | null): name is ResultStanding => standings.some((standing) => standing === name);

const notifyProblem = async (downloaded: Promise<string | null>) => {
  const problem = await downloaded;
  if (problem) notify('error', problem);
};

/** The decision on a result that does not count, by whom and why. */
const decisionOn = ({ status, changed_at, changed_by, change_reason }: Result): string | null =>
  status === 'rejected' || status === 'deleted'
    ? `${resultWords.statuses[status]} on ${formatDay(changed_at)}${changed_by ? ` by ${changed_by.name}` : ''}${change_reason ? `: ${change_reason}` : ''}`
    : null;

const OwnCertificates = loadedLater(() => import('#src/features/users/own-certificates.tsx').then((m) => m.OwnCertificates));
const OwnRejected = loadedLater(() => import('#src/features/users/own-certificates.tsx').then((m) => m.OwnRejected));

type Props = { uuid: string; own: boolean; records: readonly Result[]; online: boolean; reload: () => void };

/** The downloads of a record: all of it, the certificates shown, and a wallet card with what is in date. */
const DownloadMenu = ({ uuid, shown, hasCertificates }: { uuid: string; shown: readonly Result[]; hasCertificates: boolean }) => {
  const [busy, setBusy] = useState(false);
  const take = async (downloaded: Promise<string | null>) => {
    setBusy(true);
    await notifyProblem(downloaded);
    setBusy(false);
  };
  const certified = shown.filter((r) => r.certificate).map((r) => r.id);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconDownload size={20} />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item mih={44} onClick={() => void take(downloadTrainingRecord(uuid))}>
          Training record (PDF)
        </Menu.Item>
        {certified.length > 1 && (
          <Menu.Item mih={44} onClick={() => void take(downloadCertificates({ result_ids: certified }, (text) => notify('info', text)))}>
            {certified.length} certificates (ZIP)
          </Menu.Item>
        )}
        {hasCertificates && (
          <Menu.Item mih={44} onClick={() => void take(downloadWalletCard(uuid))}>
            Wallet card (PDF)
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

/** A person's training record: all results with their state, filtered by type and status. Deleted ones are shown on request. */
export const TrainingRecord = ({ uuid, own, records, online, reload }: Props) => {
  const me = useSession();
  const navigate = useNavigate();
  const [query, setQuery] = useQuery();
  const [typeAsked, standingAsked] = [query.get('result_type'), query.get('result_status')];
  const type = isType(typeAsked) ? typeAsked : null;
  const standing = isStanding(standingAsked) ? standingAsked : null;
  const now = new Date().toISOString();
  const standingHere = (r: Result) => standingOf(r, now);
  const view = query.get('result_view') === 'timeline' ? 'timeline' : 'list';
  const choose = (to: { type?: string | null; standing?: string | null; view?: string }) => {
    const next = { type, standing, view, ...to };
    const named = { result_type: next.type ?? '', result_status: next.standing ?? '', result_view: next.view === 'list' ? '' : next.view };
    setQuery(queryOfView(query, ownNames, named), { replace: true });
  };
  const shown = records.filter(
    (r) =>
      (type === null || resultWords.types[r.type] === resultWords.types[type]) &&
      (standing === null ? r.status !== 'deleted' : standingHere(r) === standing),
  );
  const events = view === 'timeline' ? timelineOf(records, now).filter((e) => shown.includes(e.result)) : [];
  // Two types have the same label: one option covers both.
  const typesHere = resultTypes.filter(
    (t) =>
      t === resultTypes.find((other) => resultWords.types[other] === resultWords.types[t]) &&
      records.some((r) => resultWords.types[r.type] === resultWords.types[t]),
  );
  const standingsHere = standings.filter((s) => s === standing || records.some((r) => standingHere(r) === s));
  const kept = useKeptFiles();
  const mayHave = can(me, own ? 'certificate.own' : 'certificate.user');
  const columns: readonly Column<Result>[] = [
    { id: 'course', header: 'Course', sort: true, width: 180, grow: 1.6, value: (r) => r.course_title },
    { id: 'type', header: 'Type', sort: true, width: 115, grow: 0.4, value: (r) => resultWords.types[r.type] },
    {
      ...{ id: 'completed', header: 'Completed', sort: true, width: 120, grow: 0.3 },
      ...{ value: (r) => completedWords(r.completed_at, r.zone), order: (r) => r.completed_at },
    },
    {
      ...{ id: 'valid', header: 'Valid until', sort: true, width: 135, grow: 0.4 },
      ...{ value: (r) => validUntilWords(r.expires_at, r.zone), order: (r) => r.expires_at ?? '9' },
    },
    {
      ...{ id: 'score', header: 'Score', sort: true, width: 90, grow: 0.2, align: 'end' },
      ...{ value: (r) => (r.score === null ? '' : `${r.score} %`), order: (r) => r.score },
    },
    { id: 'by', header: 'Recorded by', sort: true, optional: true, value: (r) => r.recorded_by?.name ?? '' },
    {
      ...{ id: 'cpd', header: 'CPD hours', sort: true, width: 110, grow: 0.2, align: 'end', optional: true },
      value: (r) => r.cpd_hours,
    },
    {
      ...{ id: 'status', header: 'Status', sort: true, width: 140, grow: 0.3, keep: true },
      value: (r) => standingWords[standingHere(r)].words,
      cell: (r) => <Badge tone={standingWords[standingHere(r)].tone}>{standingWords[standingHere(r)].words}</Badge>,
    },
    {
      ...{ id: 'actions', header: 'Certificate and evidence', width: 190, grow: 0, actions: true, value: () => null },
      cell: (r) => (
        <>
          {saysHowOneStands.includes(standingHere(r)) && (
            <WhyButton
              userId={uuid}
              courseId={r.course_id}
              courseTitle={r.course_title}
              reason={`Completed on ${completedWords(r.completed_at, r.zone)}. ${r.expires_at ? `Valid until ${validUntilWords(r.expires_at, r.zone)}` : validUntilWords(null, r.zone)}.`}
            />
          )}
          {r.certificate && mayHave && (online || kept.has(`certificate:${r.id}`)) && (
            <Button
              variant="subtle"
              px="xs"
              onClick={() => void notifyProblem(downloadCertificate(r.id))}
              aria-label={`Download certificate of ${r.course_title}`}
            >
              <IconCertificate size={22} />
            </Button>
          )}
          {r.evidence && online && (
            <Button
              variant="subtle"
              px="xs"
              onClick={() => void notifyProblem(downloadEvidence(r.id))}
              aria-label={`Download evidence of ${r.course_title}: ${r.evidence}`}
            >
              <IconDownload size={22} />
            </Button>
          )}
        </>
      ),
    },
  ];
  const record = (
    <Section
      title="Training record"
      id="training-record"
      tools={
        <div className={layout.tools}>
          {records.length > 0 && online && mayHave && <DownloadMenu uuid={uuid} shown={shown} hasCertificates={records.some((r) => r.certificate)} />}
          {own && (
            <Button
              {...(can(me, 'record.create') ? { variant: 'default' } : {})}
              leftSection={<IconUpload size={20} />}
              component={Link}
              to={pathTo('results-historical-submit')}
            >
              Add a certificate
            </Button>
          )}
          {online && can(me, 'record.create') && (
            <>
              <Button variant="default" component={Link} to={`${pathTo('results-exempt-create')}?people=${uuid}`}>
                Add an exemption
              </Button>
              <Button component={Link} to={`${pathTo('results-historical-create')}?people=${uuid}`}>
                Add a result
              </Button>
            </>
          )}
        </div>
      }
    >
      {records.length === 0 ? (
        <EmptyState icon={<IconCertificate size={32} />} title="Nothing recorded yet">
          Completed courses appear here.
        </EmptyState>
      ) : (
        <>
          {records.length >= resultLimits.listed && (
            <p className={layout.notice} data-tone="warning" role="status">
              Only the newest {resultLimits.listed.toLocaleString('en-GB')} results are shown here.{' '}
              {can(me, needOf('reports-results')) && <Link to={pathTo('reports-results')}>The results report has all of them</Link>}
            </p>
          )}
          <div className={shapes.controls}>
            <Segmented
              size="md"
              style={{ minWidth: 200 }}
              fullWidth={false}
              aria-label="How the record is shown"
              value={view}
              onChange={(to) => choose({ view: to })}
              data={[
                { value: 'list', label: 'List' },
                { value: 'timeline', label: 'Timeline' },
              ]}
            />
            <Select
              label="Type"
              placeholder="Any"
              clearable
              clearButtonProps={{ 'aria-label': 'Type: any' }}
              data={typesHere.map((t) => ({ value: t, label: resultWords.types[t] }))}
              value={type}
              onChange={(to) => choose({ type: to })}
            />
            <Select
              label="Status"
              placeholder={records.some((r) => r.status === 'deleted') ? 'All but deleted' : 'Any'}
              clearable
              clearButtonProps={{ 'aria-label': 'Status: any' }}
              data={standingsHere.map((s) => ({ value: s, label: standingWords[s].words }))}
              value={standing}
              onChange={(to) => choose({ standing: to })}
            />
          </div>
          {shown.length === 0 ? (
            <EmptyState
              title="None of these"
              action={
                <Button variant="default" onClick={() => choose({ type: null, standing: null })}>
                  Show all
                </Button>
              }
            />
          ) : view === 'timeline' ? (
            <>
              <div className={layout.head}>
                <p className={layout.count} role="status">
                  {countOf(events.length, 'event')}
                </p>
                <div className={layout.tools}>
                  <ExportMenu onExport={(kind) => exportRows(kind, 'Timeline', timelineColumns, events)} />
                  <Button variant="default" leftSection={<IconPrint size={20} />} onClick={() => window.print()}>
                    Print
                  </Button>
                </div>
              </div>
              <RecordTimeline events={events} online={online} />
            </>
          ) : (
            <Table
              label="Training record"
              name="training record"
              columns={columns}
              rows={shown}
              {...(online ? { to: (r: Result) => pathTo('results-by-id', { id: r.id }) } : {})}
              {...(online && can(me, needOf('results-historical-create')) ? { bulk: recordCourses<Result>(navigate, uuid) } : {})}
              below={(r) => {
                const decision = decisionOn(r);
                const decisionNote = decision && <span className={layout.soft}>{decision}</span>;
                return own && r.status === 'rejected' && r.type === 'historical' ? (
                  <>
                    {decisionNote}
                    <OwnRejected result={r} />
                  </>
                ) : (
                  decisionNote
                );
              }}
              heading={
                <p className={layout.count} role="status">
                  {countOf(shown.length, 'result')}
                </p>
              }
            />
          )}
        </>
      )}
    </Section>
  );
  return own ? (
    <>
      <OwnCertificates records={records} online={online} reload={reload} />
      {record}
    </>
  ) : (
    record
  );
};
