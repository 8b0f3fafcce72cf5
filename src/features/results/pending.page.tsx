import '@mantine/core/styles/Chip.css';
import { Button, Chip } from '@mantine/core';
import { useMemo } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { DecisionNote, type Result, ResultReason } from '#contract/entities/result.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { pathErrorsOf } from '#src/api/field-errors.ts';
import { downloadEvidence } from '#src/device/download-certificate.ts';
import { askWaiting } from '#src/device/waiting.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { completedWords } from '#src/lib/result-standing.ts';
import { resultWords } from '#src/lib/result-words.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { BulkAction, BulkOutcome } from '#src/screens/table/bulk-bar.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { IconCertificate, IconDownload } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import shapes from '#src/ui/shapes.module.css';

/** The types that people submit; `all` stands for every type. */
const pendingTypes = ['all', 'historical', 'face2face', 'assessment'] as const;
type PendingType = (typeof pendingTypes)[number];
const typeLabel = (type: PendingType) => (type === 'all' ? 'All' : resultWords.types[type]);

/** Longest waiting first. */
const loadOf =
  (type: PendingType): LoadPage<Result, (typeof sorts.results)[number]> =>
  ({ filter: _none, ...query }, signal) =>
    call('GET /results', { query: { sort: 'recorded_at', ...query, status: 'pending', ...(type === 'all' ? {} : { type }) } }, { signal });

const wordsOf = (type: PendingType) => ({
  ...{ title: 'Pending results', one: 'a pending result', many: 'pending results', looksAt: 'Person or course' },
  none: type === 'all' ? 'Nothing waits for a decision' : `Nothing of type “${typeLabel(type)}” waits for a decision`,
  first: 'Training that people submit themselves is shown here until somebody approves or rejects it.',
  failed: 'The pending results could not be fetched.',
});

const decide = async (rows: readonly Result[], decision: 'approve' | 'reject', reason: string): Promise<BulkOutcome<Result>> => {
  const answer = await call('POST /results/decide', { body: { ids: rows.map((r) => r.id), decision, reason } }, { quiet: true });
  void askWaiting().catch(() => undefined);
  if (answer.kind !== 'ok') return { done: [], gone: [], failed: [Object.values(pathErrorsOf(answer))[0] ?? texts.fallback] };
  const { decided, problems } = answer.data;
  return {
    done: rows.filter((r) => decided.includes(r.id)),
    gone: rows.filter((r) => !decided.includes(r.id)),
    failed: problems.map(({ user, course, problem }) => `${user.name}, ${course.title}: ${problem}`),
  };
};
const results = (count: number) => countOf(count, 'result');
const decisions: readonly BulkAction<Result>[] = [
  {
    label: 'Approve',
    question: (rows) => `${results(rows.length)} will count from then on. The people are told.`,
    text: { label: 'Note (optional)', schema: DecisionNote, confirm: 'Approve' },
    all: (rows, reason) => decide(rows, 'approve', reason),
    done: (count) => `${results(count)} approved.`,
  },
  {
    label: 'Reject',
    question: (rows) => `${results(rows.length)} will not count. The people are told, with the reason.`,
    text: { label: 'Reason', schema: ResultReason, confirm: 'Reject' },
    all: (rows, reason) => decide(rows, 'reject', reason),
    done: (count) => `${results(count)} rejected.`,
  },
];

const lookAt = async (result: Result) => {
  const problem = await downloadEvidence(result.id);
  if (problem) notify('error', problem);
};
/** Results that `me` submitted are decided by somebody else. */
const columnsFor = (me: string): readonly Column<Result>[] => [
  {
    ...{ id: 'name', header: 'Person', sort: 'name', width: 160 },
    value: (r) => (r.user.id === me ? `${r.user.name} (you: somebody else decides)` : r.user.name),
  },
  { id: 'course', header: 'Course', sort: 'course', width: 180, grow: 1.2, value: (r) => r.course_title },
  { id: 'type', header: 'Type', width: 110, grow: 0.3, value: (r) => resultWords.types[r.type] },
  {
    ...{ id: 'completed', header: 'Completed', sort: 'completed_at', width: 120, grow: 0.3 },
    value: (r) => completedWords(r.completed_at, r.zone),
  },
  {
    ...{ id: 'submitted', header: 'Submitted', sort: 'recorded_at', width: 170, grow: 0.4 },
    value: (r) => `${formatMoment(r.recorded_at)}${r.recorded_by && r.recorded_by.id !== r.user.id ? ` by ${r.recorded_by.name}` : ''}`,
  },
  { id: 'note', header: 'Note', width: 180, grow: 1.2, value: (r) => r.note },
];
const evidenceColumn: Column<Result> = {
  ...{ id: 'evidence', header: 'Evidence', width: 140, grow: 0.3, actions: true, value: () => null },
  cell: (r) =>
    r.evidence && (
      <Button
        variant="default"
        leftSection={<IconDownload size={20} />}
        onClick={() => void lookAt(r)}
        aria-label={`Evidence of ${r.user.name}: ${r.evidence}`}
      >
        Evidence
      </Button>
    ),
};

/** Submitted results without a decision: reviewed, and approved or rejected, individually or in bulk. */
export const Component = () => {
  const params = useParams();
  const type = pendingTypes.find((t) => t === params.type) ?? 'all';
  const navigate = useNavigate();
  const me = useSession();
  const columns = useMemo(() => columnsFor(me?.uuid ?? ''), [me?.uuid]);
  const list = useList(['pending results', type], loadOf(type), { sortedBy: sorts.results });
  return (
    <ListPage
      words={wordsOf(type)}
      list={list}
      icon={<IconCertificate size={36} />}
      narrowing={
        <Chip.Group value={type} onChange={(to) => void navigate(pathTo('results-pending-by-type', { type: String(to) }))}>
          <div className={shapes.filters} role="radiogroup" aria-label="Type of result">
            {pendingTypes.map((t) => (
              <Chip key={t} value={t} size="md" variant="light">
                {typeLabel(t)}
              </Chip>
            ))}
          </div>
        </Chip.Group>
      }
      columns={typeof list.state === 'object' && list.state.rows.some((r) => r.evidence) ? [...columns, evidenceColumn] : columns}
      to={(r) => pathTo('results-by-id', { id: r.id })}
      bulk={decisions}
    />
  );
};
