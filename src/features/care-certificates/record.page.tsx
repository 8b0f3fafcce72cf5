import { Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router-dom';
import { recordsNow } from '#contract/rules/certificate-progress.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { begin, type Draft, draftKey } from '#src/features/care-certificates/record-draft.ts';
import { RecordForm } from '#src/features/care-certificates/record-form.tsx';
import { type CertificateView, useCertificate } from '#src/features/care-certificates/use-certificate.ts';
import { usePlaceBelow } from '#src/lib/placed-below.ts';
import layout from '#src/ui/page.module.css';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** The stored draft, or the record to correct, or an empty draft. */
const useBegun = (view: CertificateView | null, about: string | null): Draft | null | 'gone' => {
  const db = usePersonDb();
  const [begun, setBegun] = useState<Draft | null | 'gone'>(null);
  const id = view?.certificate.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once per certificate; later data must not overwrite typed text
  useEffect(() => {
    if (!view || !id) return;
    const record = about === null ? null : recordsNow(view.observations).get(about);
    if (about !== null && !record) return setBegun('gone');
    void db.kv.get(draftKey(id, about)).then((kept) => setBegun((kept?.value as Draft | undefined) ?? begin(record ?? null)));
  }, [id, about, db]);
  return begun;
};

/** Records an assessor's observation, online or offline. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const [query] = useSearchParams();
  const about = query.get('about');
  const me = useSession();
  const brand = useBrand();
  const { view, problem, reload } = useCertificate(uuid);
  const begun = useBegun(view, about);
  const isOwn = view?.certificate.user.id === me?.uuid;
  usePlaceBelow(useLocation().pathname, {
    path: pathTo('care-certificate-by-uuid', { uuid }),
    name: view?.certificate.user.name ?? brand.certificateGroupMenuName,
  });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {view ? `${about ? 'Correct a record of' : 'Observe'} ${view.certificate.user.name}` : brand.certificateGroupMenuName}
      </Title>
      {!view && !problem && <LoadingState label="Loading the certificate" />}
      {!view && problem?.offline && <OfflineState what={problem.message} onRetry={() => void reload()} />}
      {!view && problem && !problem.offline && <ErrorState message={problem.message} onRetry={() => void reload()} />}
      {begun === 'gone' && <ErrorState message="This record is not here, or it was withdrawn." />}
      {view && isOwn && <ErrorState message="You cannot observe yourself. Ask your assessor." />}
      {view && me && !isOwn && begun !== null && begun !== 'gone' && (
        <RecordForm me={me} key={`${uuid}:${about}`} view={view} about={about} begun={begun} />
      )}
    </div>
  );
};
