import { Button, Progress, TextInput } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useEffect, useMemo, useState } from 'react';
import { useParams } from 'react-router-dom';
import { type Inspection, type InspectionCopy, InspectionDocument } from '#contract/entities/inspection.ts';
import { statusWords } from '#contract/matrix/words.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { dayWords } from '#contract/rules/days.ts';
import { checkInspection, inspectionFiles, type InspectionVerdict } from '#contract/rules/inspection-check.ts';
import { type PackedPolicy, signatureWords, signedOf } from '#contract/rules/policy-signature.ts';
import { useBrand } from '#src/access/brand.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { InspectionState } from '#src/features/inspections/inspection-state.tsx';
import { isKept } from '#src/features/inspections/kept.ts';
import { countOf, formatMegabytes, formatMoment } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import type { DetailTabList } from '#src/screens/detail-tabs.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useKeptRead } from '#src/screens/use-kept-read.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';
import layout from '#src/ui/page.module.css';

/** A pack and, once it is frozen, its data. */
type Pack = { inspection: Inspection; copy: InspectionCopy | null };
const tones: Record<(typeof complianceColourOf)[keyof typeof complianceColourOf], Tone> = {
  ...{ green: 'ok', amber: 'warning', red: 'danger', none: 'plain' },
};
const percent = (score: number | null): string => (score === null ? '–' : `${score} %`);
const askedAgainMs = 2000;
const fileMs = 120_000;

type Line = {
  id: string;
  person: string;
  role: string;
  service: string;
  course: string;
  line: InspectionDocument['people'][number]['lines'][number];
};
const stateWords = ({ line: { status, exempt, other } }: Line): string =>
  [statusWords[status], exempt && 'exempt', other && 'by another course'].filter(Boolean).join(', ');
const lineColumns: readonly Column<Line>[] = [
  { id: 'person', header: 'Person', value: (l) => l.person, sort: true, width: 170 },
  { id: 'course', header: 'Course', value: (l) => l.course, sort: true, width: 190, grow: 1.2 },
  {
    ...{ id: 'state', header: 'State', sort: true, width: 150, grow: 0.5, keep: true },
    value: stateWords,
    cell: (l) => <Badge tone={tones[complianceColourOf[l.line.status]]}>{stateWords(l)}</Badge>,
  },
  {
    ...{ id: 'completed', header: 'Completed', sort: true, width: 120, grow: 0.2 },
    value: (l) => (l.line.completed ? dayWords(l.line.completed) : ''),
    order: (l) => l.line.completed,
  },
  {
    ...{ id: 'expires', header: 'Valid until', sort: true, width: 120, grow: 0.2 },
    value: (l) => (l.line.expires ? dayWords(l.line.expires) : l.line.completed ? 'No expiry' : ''),
    order: (l) => l.line.expires,
  },
  { id: 'certificate', header: 'Certificate', value: (l) => l.line.certificate, width: 150, grow: 0.3 },
  { id: 'role', header: 'Job role', value: (l) => l.role, optional: true, sort: true },
  { id: 'service', header: 'Service', value: (l) => l.service, optional: true, sort: true },
];
type Scored = { id: string; name: string; about: string; required: number; in_date: number; score: number | null };
const scoredColumns = (first: string, second: string | null): readonly Column<Scored>[] => [
  { id: 'name', header: first, value: (s) => s.name, sort: true, width: 200, grow: 1.4 },
  ...(second === null ? [] : [{ id: 'about', header: second, value: (s: Scored) => s.about, sort: true as const, width: 180 }]),
  { id: 'required', header: 'Required', value: (s) => s.required, sort: true, width: 110, grow: 0.2, align: 'end' },
  { id: 'in_date', header: 'In date', value: (s) => s.in_date, sort: true, width: 110, grow: 0.2, align: 'end' },
  {
    ...{ id: 'score', header: 'Share', sort: true, width: 100, grow: 0.2, align: 'end', keep: true },
    value: (s) => percent(s.score),
    order: (s) => s.score,
  },
];
const [courseColumns, personColumns] = [scoredColumns('Course', null), scoredColumns('Person', 'Job role and service')];
type Care = { id: string; person: string; service: string; standards: string; state: string };
const careColumns: readonly Column<Care>[] = [
  { id: 'person', header: 'Person', value: (c) => c.person, sort: true, width: 180 },
  { id: 'service', header: 'Service', value: (c) => c.service, sort: true, width: 180 },
  { id: 'standards', header: 'Standards met', value: (c) => c.standards, width: 140, grow: 0.3 },
  { id: 'state', header: 'State', value: (c) => c.state, sort: true, width: 160, grow: 0.5, keep: true },
];

type Signed = {
  id: string;
  policy: string;
  person: string;
  service: string;
  state: string;
  on: string | null;
  as: string;
  version: string;
  tone: Tone;
};
const signedColumns: readonly Column<Signed>[] = [
  { id: 'policy', header: 'Policy', value: (s) => s.policy, sort: true, width: 190, grow: 1.2 },
  { id: 'person', header: 'Person', value: (s) => s.person, sort: true, width: 170 },
  {
    ...{ id: 'state', header: 'State', sort: true, width: 170, grow: 0.5, keep: true },
    value: (s) => s.state,
    cell: (s) => <Badge tone={s.tone}>{s.state}</Badge>,
  },
  { ...{ id: 'on', header: 'Signed on', sort: true, width: 120, grow: 0.2 }, value: (s) => (s.on ? dayWords(s.on) : ''), order: (s) => s.on },
  { id: 'as', header: 'Signed as', value: (s) => s.as, width: 150 },
  { id: 'version', header: 'Version', value: (s) => s.version, width: 110, grow: 0.2 },
  { id: 'service', header: 'Service', value: (s) => s.service, optional: true, sort: true },
];

/** All lines of a pack, searchable by person or course. */
const Training = ({ lines }: { lines: readonly Line[] }) => {
  const [typed, setTyped] = useState('');
  const sought = typed.trim().toLowerCase();
  const found = useMemo(
    () => (sought === '' ? lines : lines.filter((l) => `${l.person}\n${l.course}\n${l.service}\n${l.role}`.toLowerCase().includes(sought))),
    [lines, sought],
  );
  return (
    <>
      <TextInput
        label="Find in this pack"
        description="Person, course, job role or service"
        type="search"
        value={typed}
        onChange={(e) => setTyped(e.target.value)}
      />
      <Table
        label="Training"
        name="inspection-training"
        columns={lineColumns}
        rows={found}
        heading={
          <p className={layout.count} role="status">
            {countOf(found.length, 'line')}
          </p>
        }
      />
    </>
  );
};

/** The policies to read and sign in the courses, with everybody's signatures. */
const Policies = ({ policies, rows }: { policies: readonly PackedPolicy[]; rows: readonly Signed[] }) => (
  <>
    {policies.length === 0 ? (
      <p className={layout.count}>No course in this pack has anything to read and sign.</p>
    ) : (
      <Facts
        title="What is signed"
        facts={policies.map((p) => [
          p.title,
          <span key={p.title}>
            “{p.text}”
            <br />
            {signedOf(p)} · version {p.version}, published {dayWords(p.published_on)}
          </span>,
        ])}
      />
    )}
    {rows.length > 0 && <Table label="Policies read" name="inspection-policies" columns={signedColumns} rows={rows} exports={false} />}
  </>
);

/** The data of a frozen pack, by training, person, course, Care Certificate and policy. */
const partsOf = (pack: InspectionDocument) => {
  const lines = pack.people.flatMap((p, n): Line[] =>
    p.lines.map((line) => ({
      ...{ id: `${n} ${line.c}`, person: p.name, role: p.role ?? '', service: p.service, course: pack.courses[line.c]?.title ?? '', line },
    })),
  );
  const people = pack.people.map((p, n): Scored => ({ ...p, id: String(n), about: [p.role, p.service].filter(Boolean).join(', ') }));
  const courses = pack.courses.map((c, n): Scored => ({ ...c, id: String(n), name: c.title, about: '' }));
  const care = pack.care_certificates?.map(
    (c, n): Care => ({
      ...{ id: String(n), person: c.person, service: c.service, standards: `${c.standards_met} of ${c.standards_of}` },
      state: c.approved_on ? `Approved ${dayWords(c.approved_on)}` : c.waiting ? 'Awaiting approval' : 'In progress',
    }),
  );
  const signed = pack.policies?.flatMap((policy, p) =>
    policy.people.map(
      (one, n): Signed => ({
        ...{ id: `${p} ${n}`, policy: policy.title, person: one.person, service: one.service, on: one.signed_on, as: one.signed_as ?? '' },
        ...{ state: signatureWords(policy, one), tone: one.version === null ? 'danger' : one.version === policy.version ? 'ok' : 'warning' },
        version: one.version === null ? '' : one.version === policy.version ? String(one.version) : `${one.version}, now ${policy.version}`,
      }),
    ),
  );
  return { lines, people, courses, care, signed };
};

const verdictWords = (verdict: InspectionVerdict | null): { tone: Tone; words: string } =>
  verdict === null
    ? { tone: 'plain', words: 'Being checked …' }
    : verdict.kind === 'changed'
      ? { tone: 'danger', words: `This copy is not what was frozen. ${verdict.what}` }
      : verdict.kind === 'unchanged'
        ? { tone: 'ok', words: 'Unchanged: its fingerprint and its signature were checked on this device.' }
        : { tone: 'ok', words: 'Unchanged: its fingerprint was checked on this device. This browser cannot check the signature.' };

/** The copy on this device, verified here: its document, or none if it was changed. */
const useChecked = (copy: InspectionCopy | null) => {
  const [verdict, setVerdict] = useState<InspectionVerdict | null>(null);
  useEffect(() => {
    if (!copy) return;
    let left = false;
    const files = new Map([[inspectionFiles.data, new TextEncoder().encode(copy.document)]]);
    void checkInspection(copy.manifest, copy.signature, files, false).then((found) => {
      if (!left) setVerdict(found);
    });
    return () => {
      left = true;
    };
  }, [copy]);
  const document = useMemo(
    () => (copy && verdict && verdict.kind !== 'changed' ? InspectionDocument.parse(JSON.parse(copy.document)) : null),
    [copy, verdict],
  );
  return { verdict, document };
};

/** The data of a pack, in tabs. */
const tabsOf = (pack: InspectionDocument): DetailTabList => {
  const { lines, people, courses, care, signed } = partsOf(pack);
  const one = { exports: false } as const;
  return [
    { id: 'training', label: 'Training', count: lines.length, content: <Training lines={lines} /> },
    {
      ...{ id: 'people', label: 'People', count: people.length },
      content: <Table label="People" name="inspection-people" columns={personColumns} rows={people} {...one} />,
    },
    {
      ...{ id: 'courses', label: 'Courses', count: courses.length },
      content: <Table label="Courses" name="inspection-courses" columns={courseColumns} rows={courses} {...one} />,
    },
    ...(care
      ? [
          {
            ...{ id: 'care', label: pack.words.care_certificate, count: care.length },
            content: <Table label={pack.words.care_certificate} name="inspection-care" columns={careColumns} rows={care} {...one} />,
          },
        ]
      : []),
    ...(signed
      ? [
          {
            ...{ id: 'policies', label: 'Policies read', count: signed.length },
            content: <Policies policies={pack.policies ?? []} rows={signed} />,
          },
        ]
      : []),
  ];
};

/** A pack that is frozen or being made: its data, its files, and whether it is unchanged. */
export const Component = () => {
  const { id = '' } = useParams();
  const { certificateGroupMenuName } = useBrand();
  const { state, asOf, retry } = useKeptRead<Pack>(
    `inspection:${id}`,
    ['inspection', id],
    async (signal) => {
      const answer = await call('GET /inspections/{id}', { params: { id } }, { signal });
      if (answer.kind !== 'ok' || answer.data.state !== 'ready')
        return answer.kind === 'ok' ? { ...answer, data: { inspection: answer.data, copy: null } } : answer;
      const copy = await call('GET /inspections/{id}/copy', { params: { id } }, { signal, timeoutMs: fileMs });
      return copy.kind === 'ok' ? { ...copy, data: { inspection: copy.data.inspection, copy: copy.data } } : copy;
    },
    (pack) => pack.copy !== null,
  );
  const pack = state.kind === 'loaded' ? state.data : null;
  const inspection = pack?.inspection;
  const isStored = useLiveQuery(() => isKept(id), [id]);
  const { verdict, document } = useChecked(pack?.copy ?? null);
  const tabs = useMemo(() => (document ? tabsOf(document) : null), [document]);
  const verdictNotice = verdictWords(verdict);
  const waiting = inspection?.state === 'waiting';
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(retry, askedAgainMs);
    return () => clearInterval(timer);
  }, [waiting, retry]);
  const [failed, setFailed] = useState<string | null>(null);
  const [taking, setTaking] = useState<'pdf' | 'zip' | null>(null);
  const take = async (format: 'pdf' | 'zip') => {
    setTaking(format);
    setFailed(null);
    const result = await call('GET /inspections/{id}/file', { params: { id }, query: { format } }, { timeoutMs: fileMs });
    setTaking(null);
    if (result.kind === 'ok') saveFile(result.data, result.headers.get('Content-Disposition'), `inspection.${format}`);
    else setFailed(result.kind === 'unreachable' ? 'There is no connection. What is on this device can be read below.' : sentenceOf(result));
  };
  if (!inspection)
    return (
      <DetailPage title="Inspection pack">
        <ReadPlaceholder
          state={state}
          retry={retry}
          loading="Loading the inspection pack"
          offline="This pack is not on this device. Open it once with a connection, and it is kept."
        />
      </DetailPage>
    );
  return (
    <DetailPage
      title={inspection.name}
      badge={<InspectionState inspection={inspection} />}
      about={[
        inspection.organisation.name,
        inspection.frozen_at && `frozen ${formatMoment(inspection.frozen_at)} by ${inspection.asked_by.name}`,
        asOf && 'no connection: the copy on this device',
      ]}
      {...(tabs ? { tabs } : {})}
      actions={
        inspection.state === 'ready' && (
          <>
            <Button variant="default" loading={taking === 'pdf'} onClick={() => void take('pdf')}>
              PDF ({formatMegabytes(inspection.pdf_bytes)})
            </Button>
            <Button variant="default" loading={taking === 'zip'} onClick={() => void take('zip')}>
              ZIP ({formatMegabytes(inspection.zip_bytes)})
            </Button>
          </>
        )
      }
    >
      {failed && (
        <p className={layout.notice} data-tone="warning" role="alert">
          {failed}
        </p>
      )}
      {waiting && (
        <section className={`app-card ${layout.block}`} aria-label="Being made">
          <p role="status">Being made. You can leave this page: it goes on, and is listed when it is ready.</p>
          <Progress
            value={inspection.progress?.total ? (100 * inspection.progress.done) / inspection.progress.total : 0}
            aria-label={`${inspection.progress?.done ?? 0} of ${inspection.progress?.total ?? '…'} certificates`}
            size="lg"
            radius="xl"
          />
        </section>
      )}
      {inspection.state === 'failed' && (
        <p className={layout.notice} data-tone="danger" role="status">
          This pack was not made, and holds nothing. {inspection.problem}
        </p>
      )}
      {inspection.state === 'ready' && (
        <Facts
          title="What is in it"
          facts={[
            ['About', inspection.chosen],
            ['In date', `${percent(inspection.score)}: ${inspection.in_date} of ${inspection.required} required`],
            ['Certificates', countOf(inspection.certificates, 'PDF')],
            [certificateGroupMenuName, countOf(inspection.care_certificates, 'record')],
            ['Fingerprint', inspection.hash && <code style={{ overflowWrap: 'anywhere' }}>{inspection.hash}</code>],
          ]}
        />
      )}
      {inspection.state === 'ready' && (
        <p className={layout.notice} data-tone={verdictNotice.tone === 'danger' ? 'danger' : 'ok'} role="status">
          {verdictNotice.words}{' '}
          {document &&
            isStored !== undefined &&
            (isStored ? 'It is kept on this device and can be read without a connection.' : 'It is not kept on this device.')}
        </p>
      )}
    </DetailPage>
  );
};
