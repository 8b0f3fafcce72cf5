import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import type { ObservationRecord, Signature } from '#contract/entities/care-certificate.ts';
import { recordsNow } from '#contract/rules/certificate-progress.ts';
import { entryNow, signedOf } from '#contract/rules/signed.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import evidence from '#src/features/care-certificates/evidence.module.css';
import { LearnerSigns } from '#src/features/care-certificates/learner-says.tsx';
import { RecordText } from '#src/features/care-certificates/record-text.tsx';
import { Signer, useSign } from '#src/features/care-certificates/signer.tsx';
import { type CertificateView, useCertificate } from '#src/features/care-certificates/use-certificate.ts';
import { methodWords, signedHow } from '#src/features/care-certificates/words.ts';
import { formatMoment } from '#src/lib/format.ts';
import { usePlaceBelow } from '#src/lib/placed-below.ts';
import { HandOver } from '#src/screens/hand-over.tsx';
import { IconCheck } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';
import { Badge } from '#src/ui/badge.tsx';

const SignedLine = ({ signature, name }: { signature: Signature; name: string }) => (
  <Badge tone={signature.agrees === false ? 'warning' : 'ok'} icon={IconCheck} className={evidence.long}>
    {name} {signature.agrees === false ? 'does not agree' : 'signed'}, {signedHow[signature.method]}, {formatMoment(signature.at)}
  </Badge>
);

type Of = { view: CertificateView; about: string; record: ObservationRecord };

/** The device in the learner's hands: it shows only this record. */
const ForLearner = ({ view, about, record, onBack }: Of & { onBack: () => void }) => {
  const sign = useSign(view, about, record);
  const { user } = view.certificate;
  const [done, setDone] = useState(false);
  return (
    <HandOver name={user.name} title={done ? 'Thank you' : `${user.name}, is this how it was?`} onBack={onBack}>
      {(giveBack) =>
        done ? (
          <>
            <p>What you said is saved on this device. You can read it again and confirm it on your own phone, under your certificate.</p>
            <div className={layout.tools}>
              <Button size="lg" onClick={giveBack} data-autofocus>
                Hand the device back
              </Button>
            </div>
          </>
        ) : (
          <>
            <section className={`app-card ${layout.stack} ${classes.entry}`} aria-label="The record">
              <strong>
                {formatMoment(record.done_at)} · {methodWords[record.method]}
                {record.setting ? ` · ${record.setting}` : ''}
              </strong>
              <RecordText record={record} view={view} />
            </section>
            <LearnerSigns>
              {(readAnswer, action) => (
                <Signer
                  who={user}
                  label={`Signature of ${user.name}`}
                  action={action}
                  onSign={async (proof) => {
                    const says = readAnswer();
                    if (typeof says === 'string') return says;
                    const failed = await sign({ signer: 'learner', ...proof, ...says });
                    if (failed === null) setDone(true);
                    return failed;
                  }}
                />
              )}
            </LearnerSigns>
            <Button variant="subtle" color="gray" onClick={giveBack} style={{ justifySelf: 'start' }}>
              Not now: hand the device back
            </Button>
          </>
        )
      }
    </HandOver>
  );
};

const Signing = ({ view, about, record, root }: Of & { root: string }) => {
  const me = useSession();
  const sign = useSign(view, about, record);
  const [over, setOver] = useState(false);
  const { user, signatures = [] } = view.certificate;
  const signed = signedOf(view.observations, signatures, root);
  const { witness } = record;
  return (
    <>
      <section className={`app-card ${layout.stack} ${classes.entry}`} aria-label="The record">
        <strong>
          {formatMoment(record.done_at)} · {methodWords[record.method]}
        </strong>
        <RecordText record={record} view={view} />
        {signed.before > 0 && <span className={layout.soft}>It was corrected after it had been signed. Sign it as it stands now.</span>}
      </section>
      <section className={`app-card ${layout.block}`} aria-label="Your signature">
        <Title order={2} size="h3">
          You
        </Title>
        {signed.assessor ? (
          <SignedLine signature={signed.assessor} name="You" />
        ) : (
          <Signer
            who={{ id: me?.uuid ?? null, name: me?.name ?? '' }}
            label="Your signature"
            signedIn
            onSign={(proof) => sign({ signer: 'assessor', ...proof, agrees: null, comment: '' })}
          />
        )}
      </section>
      {witness && (
        <section className={`app-card ${layout.block}`} aria-label="The witness">
          <Title order={2} size="h3">
            {witness.name}, witness
          </Title>
          {signed.witness ? (
            <SignedLine signature={signed.witness} name={witness.name} />
          ) : (
            <Signer
              who={{ id: null, name: witness.name }}
              label={`Signature of ${witness.name}`}
              onSign={(proof) => sign({ signer: 'witness', ...proof, agrees: null, comment: '' })}
            />
          )}
          {!signed.verifier && <p className={layout.count}>Counts as unverified until a colleague of yours has asked them.</p>}
        </section>
      )}
      <section className={`app-card ${layout.block}`} aria-label={`Signature of ${user.name}`}>
        <Title order={2} size="h3">
          {user.name}
        </Title>
        {signed.learner ? (
          <>
            <SignedLine signature={signed.learner} name={user.name} />
            {signed.learner.comment && <p className={layout.count}>“{signed.learner.comment}”</p>}
          </>
        ) : (
          <>
            <p className={layout.count}>
              Hand over the device: {user.name} sees this record and nothing else, says whether it was so, and signs. They can also do it on their own
              phone.
            </p>
            <Button size="lg" onClick={() => setOver(true)} style={{ justifySelf: 'start' }}>
              Hand over to {user.name}
            </Button>
          </>
        )}
      </section>
      {over && <ForLearner view={view} about={about} record={record} onBack={() => setOver(false)} />}
    </>
  );
};

/** Signing a record, online or offline: the assessor, a witness, and the learner on the same device. */
export const Component = () => {
  const { uuid = '', record: root = '' } = useParams();
  const me = useSession();
  const brand = useBrand();
  const { view, problem, reload } = useCertificate(uuid);
  usePlaceBelow(useLocation().pathname, {
    path: pathTo('care-certificate-by-uuid', { uuid }),
    name: view?.certificate.user.name ?? brand.certificateGroupMenuName,
  });
  const about = view ? entryNow(view.observations, root) : null;
  const record = view ? (recordsNow(view.observations).get(root) ?? null) : null;
  const isOwn = view?.observations.find((o) => o.id === root)?.assessor.id === me?.uuid;
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {view ? `Sign the record of ${view.certificate.user.name}` : brand.certificateGroupMenuName}
        </Title>
        <Button variant="default" component={Link} to={pathTo('care-certificate-by-uuid', { uuid })}>
          To the certificate
        </Button>
      </div>
      {!view && !problem && <LoadingState label="Loading the record" />}
      {!view && problem?.offline && <OfflineState what={problem.message} onRetry={() => void reload()} />}
      {!view && problem && !problem.offline && <ErrorState message={problem.message} onRetry={() => void reload()} />}
      {view && (!about || !record) && <ErrorState message="This record is not here, or it was withdrawn." />}
      {view && about && record && !isOwn && <ErrorState message="Only the person who recorded it signs it here." />}
      {view && about && record && isOwn && <Signing view={view} about={about} record={record} root={root} />}
    </div>
  );
};
