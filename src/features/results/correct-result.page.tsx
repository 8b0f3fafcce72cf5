import { Button, Checkbox, Textarea, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { type Result, ResultCorrection } from '#contract/entities/result.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { type CallData, call } from '#src/api/call.ts';
import { ResultFields } from '#src/features/results/result-fields.tsx';
import { differences, inputOf, valuesOf } from '#src/features/results/result-values.ts';
import { formatMoment } from '#src/lib/format.ts';
import { resultWords } from '#src/lib/result-words.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { ConflictSides } from '#src/ui/conflict-sides.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

const CorrectionForm = ({ result, onSaved }: { result: Result; onSaved: () => void }) => {
  const me = useSession();
  const { id } = result;
  const exempt = result.type === 'exempt';
  const rev = useRef(result.rev);
  /** The version that somebody else saved after it was opened here. */
  const [theirs, setTheirs] = useState<Result | null>(null);
  const who = theirs?.changed_by?.name ?? 'the server';
  const fields = useForm({
    schema: ResultCorrection,
    begin: () => valuesOf(result),
    toInput: inputOf,
    save: async (body) => {
      const answer = await call('PATCH /results/{id}', { params: { id }, body: { ...body, rev: rev.current } });
      if (answer.kind !== 'refused' || answer.error.code !== 'rev_mismatch') return answer;
      const current = (answer.error.current as CallData<'GET /results/{id}'>).result;
      setTheirs(current);
      return { kind: 'failed', errors: { whole: 'This was changed in the meantime. Nothing of yours is lost: choose below which holds.' } };
    },
    success: 'The correction is saved.',
    draft: `correction ${id}`,
    onSaved,
    locked: (field) => field === 'completed_on' && result.origin === 'register' && 'This comes from a register. Its day is changed there.',
  });
  const { field, busy, values } = fields;
  const decide = (keepMine: boolean) => {
    if (!theirs) return;
    rev.current = theirs.rev;
    setTheirs(null);
    if (keepMine) return fields.submit();
    fields.restart(valuesOf(theirs));
    notify('success', `This is what ${who} saved.`);
  };
  return (
    <Form form={fields} save={theirs ? false : 'Save the correction'}>
      {theirs && (
        <FormSection title="Which holds?" wide>
          <ConflictSides
            names={{ mine: 'You entered', theirs: `${who} saved, ${formatMoment(theirs.changed_at)}` }}
            sides={differences(values, valuesOf(theirs))}
          />
          {theirs.change_reason && <p className={layout.count}>Their reason: {theirs.change_reason}</p>}
          <div className={layout.tools}>
            <Button loading={busy} onClick={() => decide(true)}>
              Save what I entered
            </Button>
            <Button variant="default" onClick={() => decide(false)}>
              Take what {who} saved
            </Button>
          </div>
        </FormSection>
      )}
      <ResultFields form={fields} exempt={exempt} evidence={result.evidence} />
      <FormSection title="Correction" disabled={busy}>
        {can(me, 'certificate.suppress') && !exempt && (
          <Checkbox
            label="Withhold the certificate"
            description="Nobody can download it while this is chosen."
            {...fields.checkbox('certificate_suppressed')}
          />
        )}
        <Textarea
          label="Reason for the correction"
          description="It stays in the history."
          autosize
          minRows={2}
          maxLength={500}
          {...field('reason')}
        />
      </FormSection>
    </Form>
  );
};

/** Corrects a result; its earlier version stays in the history. */
export const Component = () => {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /results/{id}', { params: { id } });
  if (state.kind !== 'loaded')
    return <ReadPlaceholder order={1} state={state} retry={retry} loading="Loading the result" offline="Correcting a result needs a connection." />;
  const { result } = state.data;
  const exempt = result.type === 'exempt';
  return (
    <div className={layout.page}>
      <div>
        <Title order={1} className={layout.title}>
          {exempt ? 'Correct an exemption' : 'Correct a result'}
        </Title>
        <p className={layout.count}>{[result.user.name, result.course_title, resultWords.types[result.type], result.place].join(' · ')}</p>
      </div>
      <CorrectionForm result={result} onSaved={() => void navigate(pathTo('results-by-id', { id }))} />
    </div>
  );
};
