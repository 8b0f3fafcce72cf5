import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { Result, ResultVersion } from '#contract/entities/result.ts';
import { certificateNumberWords } from '#contract/rules/certificate-number.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { downloadCertificate, downloadEvidence } from '#src/device/download-certificate.ts';
import { ResultActions } from '#src/features/results/result-actions.tsx';
import { versionChanges } from '#src/features/results/version-changes.ts';
import { formatMoment } from '#src/lib/format.ts';
import { usePlaceBelow } from '#src/lib/placed-below.ts';
import { completedWords, standingOf, standingWords, validUntilWords } from '#src/lib/result-standing.ts';
import { resultWords } from '#src/lib/result-words.ts';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { type Answer, useReadOf } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconCertificate, IconDownload } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

type Loaded = { result: Result; history: ResultVersion[] /** The one that counts instead of it. */; instead: Result | null };

/** A result with its history and, if a later one counts, that one. */
const load = async (id: string, signal: AbortSignal): Promise<Answer<Loaded>> => {
  const answer = await call('GET /results/{id}', { params: { id } }, { signal });
  if (answer.kind !== 'ok') return answer;
  const { result, history } = answer.data;
  if (result.status !== 'approved' || result.counts) return { kind: 'ok', data: { result, history, instead: null } };
  const record = await call('GET /users/{id}/training-records', { params: { id: result.user.id } }, { signal });
  if (record.kind !== 'ok') return record;
  return { kind: 'ok', data: { result, history, instead: record.data.find((r) => r.course_id === result.course_id && r.counts) ?? null } };
};

const notifyProblem = async (downloaded: Promise<string | null>) => {
  const problem = await downloaded;
  if (problem) notify('error', problem);
};

const noCertificate = ({ type, status, certificate_suppressed }: Result): string => {
  if (type === 'exempt') return 'None: an exemption has no certificate.';
  if (status !== 'approved') return 'None: only an approved result has a certificate.';
  return certificate_suppressed ? 'Withheld.' : 'None.';
};

/** Whether it counts, in a sentence. */
const CountsNotice = ({ result, instead }: Pick<Loaded, 'result' | 'instead'>) => {
  const { status, counts, changed_at, changed_by, change_reason, expires_at, zone } = result;
  const expired = standingOf(result, new Date().toISOString()) === 'expired';
  if (status === 'pending')
    return (
      <p className={layout.notice} data-tone="warning">
        It counts once somebody has approved it.
      </p>
    );
  if (status === 'rejected' || status === 'deleted')
    return (
      <p className={layout.notice} data-tone="danger">
        {resultWords.statuses[status]} on {formatMoment(changed_at)}
        {changed_by && ` by ${changed_by.name}`}
        {change_reason ? `: ${change_reason}` : '.'}
      </p>
    );
  if (counts)
    return (
      <p className={layout.notice} data-tone={expired ? 'danger' : 'ok'}>
        This is the result that counts.{expired && ` It was valid until ${validUntilWords(expires_at, zone)}.`}
      </p>
    );
  return (
    <p className={layout.notice} data-tone="warning">
      {instead ? (
        <>
          A later result counts:{' '}
          <Link to={pathTo('results-by-id', { id: instead.id })}>
            {resultWords.types[instead.type]}, {completedWords(instead.completed_at, instead.zone)}
          </Link>
        </>
      ) : (
        'A later result counts.'
      )}
    </p>
  );
};

/** Links to the course in the organisation's list, for people who may open it. */
const CourseLink = ({ title }: { title: string }) => {
  const me = useSession();
  const slug = useActingAs()?.slug ?? me?.primary_entity.slug;
  return slug && can(me, needOf('entities-one-courses')) ? (
    <Link to={`${pathTo('entities-one-courses', { slug })}?${new URLSearchParams({ search: title })}`}>{title}</Link>
  ) : (
    title
  );
};

const History = ({ history, zone }: { history: readonly ResultVersion[]; zone: string }) => (
  <Section title="History" id="history">
    <ol className={layout.lines}>
      {history.map((version, i) => (
        <li key={version.rev} className={`${layout.stack} ${layout.tight}`}>
          <strong>{resultWords.changes[version.change]}</strong>
          <span className={layout.soft}>
            {formatMoment(version.at)} · {version.by?.name ?? 'Automatically'}
          </span>
          {versionChanges(version, history[i + 1], zone).map((change) => (
            <span key={change}>{change}</span>
          ))}
          {version.reason && <span>Reason: {version.reason}</span>}
        </li>
      ))}
    </ol>
  </Section>
);

const Whole = ({ result, history, instead, onChanged }: Loaded & { onChanged: () => void }) => {
  const me = useSession();
  const { id, user, zone, evidence, recorded_by, content_version, minutes, cpd_hours, score, certificate_number } = result;
  usePlaceBelow(pathTo('results-by-id', { id }), { path: pathTo('users-by-uuid', { uuid: user.id }), name: user.name });
  const standing = standingWords[standingOf(result, new Date().toISOString())];
  const mayDownload = can(me, user.id === me?.uuid ? 'certificate.own' : 'certificate.user');
  return (
    <DetailPage
      title={result.course_title}
      badge={<Badge tone={standing.tone}>{standing.words}</Badge>}
      about={[user.name, result.place, resultWords.types[result.type]]}
      actions={<ResultActions result={result} onChanged={onChanged} />}
    >
      <CountsNotice result={result} instead={instead} />
      <Facts
        title="Result"
        tools={
          (evidence || (result.certificate && mayDownload)) && (
            <div className={layout.tools}>
              {evidence && (
                <Button variant="default" leftSection={<IconDownload size={20} />} onClick={() => void notifyProblem(downloadEvidence(id))}>
                  Download evidence
                </Button>
              )}
              {result.certificate && mayDownload && (
                <Button variant="default" leftSection={<IconCertificate size={20} />} onClick={() => void notifyProblem(downloadCertificate(id))}>
                  Download certificate
                </Button>
              )}
            </div>
          )
        }
        facts={[
          [
            'Person',
            <Link key="person" to={`${pathTo('users-by-uuid', { uuid: user.id })}?tab=record`}>
              {user.name}
            </Link>,
          ],
          ['Course', <CourseLink key="course" title={result.course_title} />],
          ['Type', resultWords.types[result.type]],
          [result.type === 'exempt' ? 'Exempt since' : 'Completed on', completedWords(result.completed_at, zone)],
          ['Valid until', validUntilWords(result.expires_at, zone)],
          ['Score', score !== null && `${score} %`],
          ['Learning time', minutes !== null && `${minutes} min`],
          ['CPD hours', cpd_hours?.toLocaleString('en-GB') ?? null],
          [result.type === 'exempt' ? 'Reason' : 'Note', result.note],
          ['Content version', content_version !== null && String(content_version)],
          ['Source', resultWords.origins[result.origin]],
          ['Recorded', `${formatMoment(result.recorded_at)}${recorded_by ? ` by ${recorded_by.name}` : ''}`],
          ['Evidence', evidence ?? 'None'],
          ['Certificate', certificate_number ? `Number ${certificateNumberWords(certificate_number)}` : noCertificate(result)],
        ]}
      />
      <History history={history} zone={zone} />
    </DetailPage>
  );
};

/** One result: its details, whether it counts, and its history. */
export const Component = () => {
  const { id = '' } = useParams();
  const { state, retry } = useReadOf(['result', id], (signal) => load(id, signal), { keepShown: 'same' });
  return (
    <>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the result" offline="Results need a connection." order={1} />
      {state.kind === 'loaded' && <Whole {...state.data} onChanged={retry} />}
    </>
  );
};
