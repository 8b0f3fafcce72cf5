import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ObservationRecord, Signature } from '#contract/entities/care-certificate.ts';
import { can } from '#contract/can.ts';
import { entryNow, signedOf } from '#contract/rules/signed.ts';
import { useSession } from '#src/access/session.ts';
import evidence from '#src/features/care-certificates/evidence.module.css';
import { LearnerSays } from '#src/features/care-certificates/learner-says.tsx';
import { useSign } from '#src/features/care-certificates/signer.tsx';
import type { CertificateView } from '#src/features/care-certificates/use-certificate.ts';
import { signedHow } from '#src/features/care-certificates/words.ts';
import { formatMoment } from '#src/lib/format.ts';
import type { ObservationRow } from '#src/offline/store/person-db.ts';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Drawn } from '#src/ui/signature-pad.tsx';
import { Badge } from '#src/ui/badge.tsx';

type Of = { entry: ObservationRow; view: CertificateView };
const ofEntry = ({ entry, view }: Of) => signedOf(view.observations, view.certificate.signatures ?? [], entry.id);

const Line = ({ signature, name, says }: { signature: Signature; name: string; says: string }) => (
  <div>
    {signature.drawing && <Drawn path={signature.drawing} of={name} />}
    <Badge tone={signature.agrees === false ? 'warning' : 'ok'} className={evidence.long}>
      {name}: {says}
    </Badge>
    <small className={layout.soft}>
      {signedHow[signature.method]}, {formatMoment(signature.at)}
    </small>
    {signature.comment && <small>“{signature.comment}”</small>}
  </div>
);

/** The signatures of the current version of a record. */
export const Signatures = ({ entry, view }: Of) => {
  const { assessor, learner, witness, verifier, before } = ofEntry({ entry, view });
  const witnessName = view.observations.find((o) => o.id === entryNow(view.observations, entry.id))?.record?.witness?.name ?? '';
  const { user } = view.certificate;
  return (
    <>
      <div className={`${layout.tools} ${evidence.signatures}`}>
        {assessor && <Line signature={assessor} name={assessor.by.name} says="signed" />}
        {witness && <Line signature={witness} name={witnessName} says={verifier ? 'signed, and asked since' : 'signed, not verified yet'} />}
        {learner && <Line signature={learner} name={user.name} says={learner.agrees ? 'agrees' : 'does not agree'} />}
        {verifier && <Line signature={verifier} name={verifier.by.name} says="has asked the witness" />}
      </div>
      {before > 0 && !assessor && <span className={layout.soft}>It was signed before it was corrected; as it stands now it is not.</span>}
    </>
  );
};

/** The learner, signed in on their own device, confirms or disputes a record. */
export const Confirm = ({ entry, view, record }: Of & { record: ObservationRecord }) => {
  const sign = useSign(view, entryNow(view.observations, entry.id) ?? entry.id, record);
  const [open, setOpen] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (ofEntry({ entry, view }).confirmed) return null;
  if (!open)
    return (
      <div className={layout.tools}>
        <Button onClick={() => setOpen(true)} aria-label={`Say whether it was so: what was recorded ${formatMoment(record.done_at)}`}>
          Say whether it was so
        </Button>
      </div>
    );
  return (
    <section aria-label="What you say of it" className={form.group} style={{ padding: 0 }}>
      <LearnerSays>
        {(readAnswer) => (
          <>
            {error && (
              <p className={layout.notice} data-tone="danger" role="alert">
                {error}
              </p>
            )}
            <div className={layout.tools}>
              <Button
                onClick={() => {
                  const says = readAnswer();
                  if (typeof says === 'string') return setError(says);
                  void sign({ signer: 'learner', method: 'signed_in', drawing: null, ...says }).then((failed) => {
                    setError(failed);
                    if (failed === null) notify('success', 'Saved on this device. Your assessor sees it when there is a connection.');
                  });
                }}
              >
                Confirm
              </Button>
              <Button variant="subtle" color="gray" onClick={() => setOpen(false)}>
                Later
              </Button>
            </div>
          </>
        )}
      </LearnerSays>
    </section>
  );
};

/** A colleague of the assessor confirms that they have asked the witness. */
export const AskWitness = ({ entry, view, record }: Of & { record: ObservationRecord }) => {
  const me = useSession();
  const sign = useSign(view, entryNow(view.observations, entry.id) ?? entry.id, record);
  const [how, setHow] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { witness } = record;
  if (!witness || ofEntry({ entry, view }).verifier) return null;
  const may = can(me, 'observation.create') && entry.assessor.id !== me?.uuid && view.certificate.user.id !== me?.uuid;
  if (!may) return <span className={layout.soft}>The witness has not been asked yet: unverified.</span>;
  if (how === null)
    return (
      <div className={layout.tools}>
        <span className={layout.soft}>
          {witness.name} is unverified{witness.contact ? `. To reach: ${witness.contact}` : ''}.
        </span>
        <Button variant="default" onClick={() => setHow('')}>
          I have asked the witness …
        </Button>
      </div>
    );
  return (
    <div className={form.group} style={{ padding: 0 }}>
      <TextInput
        label={`How you asked ${witness.name}`}
        maxLength={2000}
        value={how}
        error={error}
        onChange={(e) => {
          setHow(e.currentTarget.value);
          setError(null);
        }}
      />
      <div className={layout.tools}>
        <Button
          onClick={() => {
            if (how.trim() === '') return setError('Say how you asked them.');
            void sign({ signer: 'verifier', method: 'signed_in', drawing: null, agrees: null, comment: how.trim() }).then(setError);
          }}
        >
          It is as they say
        </Button>
        <Button variant="subtle" color="gray" onClick={() => setHow(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
};
