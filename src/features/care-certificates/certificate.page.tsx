import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { CareStandards } from '#contract/entities/care-standards.ts';
import { can } from '#contract/can.ts';
import { supervisionNow } from '#contract/rules/signed.ts';
import { type CriterionState, rootOf, type StandardProgress } from '#contract/rules/certificate-progress.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { useChoices } from '#src/device/use-choices.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { downloadCareCertificate } from '#src/device/download-certificate.ts';
import { Approval, ApprovalStanding } from '#src/features/care-certificates/approval.tsx';
import classes from '#src/features/care-certificates/certificates.module.css';
import { EntryCard } from '#src/features/care-certificates/entry.tsx';
import { type CertificateView, useCertificate } from '#src/features/care-certificates/use-certificate.ts';
import { supervisionWords } from '#src/features/care-certificates/words.ts';
import { countOf, formatDay } from '#src/lib/format.ts';
import { grantSupervision } from '#src/offline/kinds/certificate/commands.ts';
import { IconAlert, IconCertificate, IconCheck, IconDownload, IconPeople } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { OpenChoices } from '#src/ui/open-choices.tsx';
import { DetailPage } from '#src/screens/detail-page.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';
import { StepsBar } from '#src/ui/steps-bar.tsx';
import { Badge } from '#src/ui/badge.tsx';

const looks = {
  met: { tone: 'ok', icon: IconCheck, word: 'Met' },
  not_yet_met: { tone: 'warning', icon: IconAlert, word: 'Not yet' },
  open: null,
} as const;

const CriterionBadge = ({ state }: { state: CriterionState | undefined }) => {
  const look = looks[state?.state ?? 'open'];
  return look ? (
    <Badge tone={look.tone} icon={look.icon}>
      {look.word}
    </Badge>
  ) : (
    <span className={layout.soft}>Open</span>
  );
};

/** How closely the person is supervised in a standard; an assessor can change it. */
const SupervisionOf = ({ standard, met, view }: { standard: CareStandards['standards'][number]; met: boolean; view: CertificateView }) => {
  const db = usePersonDb();
  const me = useSession();
  const { level, grant } = supervisionNow(view.progress, view.certificate.supervision ?? []).get(standard.code) ?? {
    level: 'line_of_sight',
    grant: null,
  };
  const [busy, setBusy] = useState(false);
  const may = can(me, 'observation.create') && view.certificate.user.id !== me?.uuid && (met || level === 'indirect');
  const nextLevel = level === 'indirect' ? 'line_of_sight' : 'indirect';
  const say = async () => {
    if (!me) return;
    setBusy(true);
    await grantSupervision(db, me, view.certificate, { standard: standard.code, level: nextLevel, note: '' }).then(
      () => notify('success', 'Saved on this device.'),
      () => notify('error', 'This could not be saved on the device. Please try again.'),
    );
    setBusy(false);
  };
  return (
    <div className={layout.between}>
      <span>
        <Badge tone={level === 'indirect' ? 'ok' : 'warning'}>
          {level === 'indirect' ? <IconCheck size={18} /> : <IconPeople size={18} />}
          {supervisionWords[level]}
        </Badge>{' '}
        <small className={layout.soft}>
          {grant && grant.level === level
            ? `${grant.by.name}, ${formatDay(grant.at)}`
            : grant
              ? 'More independence was granted, but the standard is no longer met.'
              : met
                ? 'Not granted yet.'
                : 'Not before the standard is met.'}
        </small>
      </span>
      {may && (
        <Button
          variant="default"
          loading={busy}
          onClick={() => void say()}
          aria-label={`${supervisionWords[nextLevel]} for standard ${standard.code}`}
        >
          {supervisionWords[nextLevel]}
        </Button>
      )}
    </div>
  );
};

const Standard = ({
  standard,
  progress,
  view,
}: {
  standard: CareStandards['standards'][number];
  progress: StandardProgress;
  view: CertificateView;
}) => (
  <details className={`app-card ${classes.standard}`}>
    <summary className={layout.row}>
      <span>
        <strong>
          {standard.code} {standard.title}
        </strong>
        <small className={layout.soft}>
          {[
            ...(progress.knowledge.of > 0 ? [`Knowledge ${progress.knowledge.met} of ${progress.knowledge.of}`] : []),
            ...(progress.practice.of > 0 ? [`Practice ${progress.practice.met} of ${progress.practice.of}`] : []),
          ].join(' · ')}
        </small>
      </span>
      {progress.state === 'met' ? (
        <Badge tone="ok" icon={IconCheck}>
          Met
        </Badge>
      ) : (
        <StepsBar done={progress.met} of={progress.of} label={`Standard ${standard.code}`} />
      )}
    </summary>
    <div className={`${layout.stack} ${classes.inside}`}>
      <SupervisionOf standard={standard} met={progress.state === 'met'} view={view} />
      {standard.outcomes.map((outcome) => (
        <div key={outcome.code}>
          <h3>
            {outcome.code} {outcome.title}
          </h3>
          <ul className={layout.lines}>
            {outcome.criteria.map((criterion) => {
              const state = view.states.get(criterion.code);
              return (
                <li key={criterion.code}>
                  <span>
                    {criterion.code} {criterion.text}
                    <small className={layout.soft}>
                      {criterion.kind === 'knowledge' ? 'Knowledge' : criterion.simulation ? 'Practice, a simulation will do' : 'Practice'}
                      {state?.action ? ` · ${state.action}` : ''}
                      {state?.due ? `, by ${formatDay(state.due)}` : ''}
                    </small>
                  </span>
                  <CriterionBadge state={state} />
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </div>
  </details>
);

const Whole = ({ view }: { view: CertificateView }) => {
  const me = useSession();
  const { certificate, observations, progress, standards } = view;
  const choices = useChoices('certificate', certificate.id);
  const byId = new Map(observations.map((o) => [o.id, o]));
  const first = observations.filter((o) => o.about === null).reverse();
  const about = (id: string) => observations.filter((o) => o.about !== null && rootOf(byId, o.id) === id);
  return (
    <>
      <OpenChoices choices={choices} />
      <section className={`app-card ${layout.block}`} aria-label="Progress">
        <StepsBar done={progress.met} of={progress.of} label="Criteria met" words={`${progress.met} of ${progress.of} criteria`} />
        <p className={layout.count}>
          {progress.standards_met} of {countOf(progress.standards.length, 'standard')} · since {formatDay(certificate.assigned_at)} · {standards.name}
        </p>
        <ApprovalStanding view={view} />
      </section>
      {!certificate.approved_at && progress.complete && can(me, 'care_certificate.approve') && certificate.user.id !== me?.uuid && (
        <Approval view={view} />
      )}
      <section className={layout.page} aria-label="Standards">
        <Title order={2} size="h3">
          Standards
        </Title>
        <ul className={layout.list}>
          {standards.standards.map((standard, i) => (
            <li key={standard.code}>
              <Standard standard={standard} progress={progress.standards[i] as StandardProgress} view={view} />
            </li>
          ))}
        </ul>
      </section>
      <section className={layout.page} aria-label="What was recorded">
        <Title order={2} size="h3">
          What was recorded
        </Title>
        {first.length === 0 && (
          <EmptyState icon={<IconCertificate size={36} />} title="Nothing recorded yet">
            {can(me, 'observation.create')
              ? 'Record what you see. It is saved on this device and sent when there is a connection.'
              : 'What your assessor sees appears here.'}
          </EmptyState>
        )}
        <ul className={layout.list}>
          {first.map((entry) => (
            <li key={entry.id}>
              <EntryCard entry={entry} amendments={about(entry.id)} view={view} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
};

/** One person’s care certificate: its progress by standard, and all entries. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const me = useSession();
  const brand = useBrand();
  const { view, problem, reload } = useCertificate(uuid);
  const [busy, setBusy] = useState(false);
  const isOwn = view?.certificate.user.id === me?.uuid;
  const download = async () => {
    setBusy(true);
    const failed = await downloadCareCertificate(uuid);
    setBusy(false);
    if (failed) notify('error', failed);
  };
  return (
    <DetailPage
      title={view ? view.certificate.user.name : brand.certificateGroupMenuName}
      actions={
        view && (
          <>
            {can(me, isOwn ? ['care_certificate.download', 'certificate.own'] : 'care_certificate.download') && (
              <Button variant="default" leftSection={<IconDownload size={20} />} loading={busy} onClick={() => void download()}>
                Download
              </Button>
            )}
            {can(me, 'observation.create') && !isOwn && (
              <Button component={Link} to={pathTo('care-certificate-record', { uuid })}>
                Record an observation
              </Button>
            )}
          </>
        )
      }
    >
      {!view && !problem && <LoadingState label="Loading the certificate" />}
      {!view && problem?.offline && <OfflineState what={problem.message} onRetry={() => void reload()} />}
      {!view && problem && !problem.offline && <ErrorState message={problem.message} onRetry={() => void reload()} />}
      {view && <Whole view={view} />}
    </DetailPage>
  );
};
