import shapes from '#src/ui/shapes.module.css';
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useId, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ObservationRecord } from '#contract/entities/care-certificate.ts';
import { recordsNow } from '#contract/rules/certificate-progress.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { competentIn, standardOf } from '#contract/rules/competence.ts';
import { correctionRule, observationRule } from '#contract/rules/observation-rule.ts';
import { pathTo } from '#contract/site-map.ts';
import type { FieldErrors } from '#src/api/field-errors.ts';
import { warnIfNotSaved } from '#src/device/draft-not-kept.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { ActivityChoice } from '#src/features/care-certificates/activity-choice.tsx';
import { CriterionChoice } from '#src/features/care-certificates/criterion-choice.tsx';
import { FileRefused } from '#src/screens/chosen-file.ts';
import { draftFilesWhole, dropDraftFile, kindOf } from '#src/features/care-certificates/draft-files.ts';
import { EvidenceInput } from '#src/features/care-certificates/evidence-input.tsx';
import { type Draft, draftKey, fieldOf, none, type CriterionNote, toInput } from '#src/features/care-certificates/record-draft.ts';
import { type CertificateView, useOwnCompetence } from '#src/features/care-certificates/use-certificate.ts';
import { WitnessInput } from '#src/features/care-certificates/witness-input.tsx';
import { evidenceWords, methodWords } from '#src/features/care-certificates/words.ts';
import { dayOf } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { dropDraft, keepDraft } from '#src/offline/drafts.ts';
import { amendObservation, recordObservation, signRecord } from '#src/offline/kinds/certificate/commands.ts';
import { NotSaved } from '#src/offline/outbox/commit.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { schemaErrors } from '#src/screens/schema-errors.ts';
import { type Done, type Failed, useAction } from '#src/screens/use-action.ts';
import { useUnsaved } from '#src/screens/unsaved.ts';
import { MomentField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';

const failed = (errors: FieldErrors): Failed => ({ kind: 'failed', errors });
const whyNotSaved = (error: unknown): string =>
  error instanceof FileRefused
    ? error.message
    : error instanceof NotSaved && error.reason === 'full'
      ? 'This device is full: the record is not saved yet. What you typed and its files stay here. Make room, or take a file out, and save again.'
      : 'This could not be saved on the device. What you typed stays here; please try again.';

type Props = { me: { uuid: string; name: string }; view: CertificateView; about: string | null; begun: Draft };
/** The form for what an assessor saw; its draft is stored at every keystroke. */
export const RecordForm = ({ me, view, about, begun }: Props) => {
  const db = usePersonDb();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(begun);
  const [errors, setErrors] = useState<FieldErrors>({});
  const id = useId();
  const unsaved = useUnsaved(id, draft !== begun, 'stays');
  const { certificate, criteria, states, standards } = view;
  const noted = useOwnCompetence();
  const today = dayOf(correctedNow());
  const key = draftKey(certificate.id, about);
  const before = about === null ? null : recordsNow(view.observations).get(about);
  const latest = useRef(draft);
  const pending = useRef(0);
  const [showsMet, setShowsMet] = useState(false);
  const change = (to: Partial<Draft>) => {
    const next = { ...latest.current, ...to };
    latest.current = next;
    setDraft(next);
    setErrors({});
    warnIfNotSaved(keepDraft(db, key, next));
  };
  // Open criteria of this activity, and those with an answer; after them, when asked for, those that are met.
  const { from } = draft;
  const chosen = useMemo(
    () =>
      from?.startsWith('standard:')
        ? (standards.standards.find((s) => `standard:${s.code}` === from)?.outcomes.flatMap((o) => o.criteria.map((c) => c.code)) ?? [])
        : (standards.activities.find((a) => a.id === from)?.criteria ?? []),
    [from, standards],
  );
  const metBefore = about === null ? chosen.filter((c) => states.get(c)?.state === 'met').length : 0;
  const offered = useMemo(() => {
    const still = chosen.filter((c) => states.get(c)?.state !== 'met');
    const met = about === null && showsMet ? chosen.filter((c) => states.get(c)?.state === 'met') : [];
    const withNotes = Object.keys(draft.notes).filter(
      (c) => (about !== null || draft.notes[c]?.outcome !== 'not_observed') && !still.includes(c) && !met.includes(c),
    );
    return [...withNotes, ...still, ...met].flatMap((c) => criteria.get(c) ?? []);
  }, [draft, chosen, states, criteria, about, showsMet]);

  const saving = useAction(
    async (signs: boolean): Promise<Done<{ record: string; signed: boolean }> | Failed> => {
      // A file still being stored would arrive after the record and start another draft.
      if (pending.current > 0)
        return failed({ whole: 'A file is still on its way, or the microphone is on: wait for it, or stop it, and save then.' });
      const files = draft.files ?? [];
      const observed = offered.flatMap((c): CriterionNote[] => {
        const note = draft.notes[c.code] ?? none;
        return note.outcome === 'not_observed' ? [] : [{ code: c.code, ...note }];
      });
      const stays = (before?.evidence ?? []).filter((note) => !draft.without?.includes(note.id));
      const rule = { criteria, method: draft.method, now: correctedNow() };
      const read = (about === null ? observationRule(rule) : correctionRule(rule)).safeParse(toInput(draft, observed, stays));
      if (!read.success) {
        const found = Object.entries(schemaErrors(read.error)).map(([path, words]) => [fieldOf(path, observed, [...stays, ...files]), words]);
        const chooses = about === null && latest.current.from === null && { criteria: 'Choose what they are doing first.' };
        return failed({ ...Object.fromEntries(found), ...chooses });
      }
      const { reason = '', ...record } = read.data as ObservationRecord & { reason?: string };
      try {
        const whole = await draftFilesWhole(db, files);
        const saved =
          about === null
            ? await recordObservation(db, me, certificate, record, whole)
            : await amendObservation(db, me, certificate, about, reason, record, whole);
        await dropDraft(db, key);
        await Promise.all(files.map((file) => dropDraftFile(db, file.id)));
        const own = { signer: 'assessor', method: 'signed_in', drawing: null, agrees: null, comment: '' } as const;
        // Saved by now: if it cannot be signed here, the next page shows that it is not.
        const signed =
          signs &&
          (await signRecord(db, me, certificate, { about: saved, content: await contentHash(record), ...own }).then(
            () => true,
            () => false,
          ));
        return { kind: 'ok', data: { record: about ?? saved, signed } };
      } catch (error) {
        return failed({ whole: whyNotSaved(error) });
      }
    },
    {
      success: ({ signed }) => `Saved${signed ? ' and signed' : ''} on this device. It goes when there is a connection.`,
      onDone: ({ record }) => {
        unsaved.clear();
        void navigate(pathTo('care-certificate-sign', { uuid: certificate.id, record }));
      },
      onFailed: setErrors,
    },
  );
  return (
    <Form
      form={{
        ...{ errors, busy: saving.busy, unsavedId: id, kept: true },
        submit: (event) => {
          event.preventDefault();
          void saving.run(true);
        },
      }}
      save="Save and sign"
      beside={
        <>
          <Button variant="default" disabled={saving.busy} onClick={() => void saving.run(false)}>
            Save
          </Button>
          <Button
            variant="subtle"
            color="gray"
            component={Link}
            to={pathTo('care-certificate-by-uuid', { uuid: certificate.id })}
            onClick={unsaved.clear}
          >
            Later
          </Button>
        </>
      }
    >
      {about === null && <ActivityChoice view={view} from={draft.from} error={errors.criteria} onChoose={(from) => change({ from })} />}
      {offered.length > 0 && (
        <FormSection title="What did you see?" wide data-field="criteria">
          {errors.criteria && (
            <p className={layout.notice} data-tone="danger">
              {errors.criteria}
            </p>
          )}
          <ul className={layout.list} aria-label="Criteria">
            {offered.map((c) => (
              <CriterionChoice
                key={c.code}
                criterion={c}
                method={draft.method}
                competent={competentIn(noted, standardOf(c.code), today) !== 'no'}
                note={draft.notes[c.code] ?? none}
                errors={{ action: errors[`action.${c.code}`], due: errors[`due.${c.code}`] }}
                onChange={(note) => change({ notes: { ...draft.notes, [c.code]: note } })}
              />
            ))}
          </ul>
        </FormSection>
      )}
      {draft.from !== null && offered.length === 0 && (
        <p className={layout.notice} data-tone="ok" data-wide>
          Everything that this can show is met already.
        </p>
      )}
      {metBefore > 0 && !showsMet && (
        <Button variant="default" className={shapes.start} onClick={() => setShowsMet(true)}>
          {metBefore === 1 ? 'Show the criterion that is met' : `Show the ${metBefore} criteria that are met`}
        </Button>
      )}
      <FormSection title="How it was">
        <Textarea
          label="What you saw or heard"
          description="Your own words; you can dictate. Never the name of the person who is supported."
          autosize
          minRows={3}
          maxLength={10_000}
          name="seen"
          value={draft.seen}
          error={errors.seen}
          onChange={(e) => change({ seen: e.currentTarget.value })}
        />
        <div className={form.pair}>
          <Select
            label="How it was shown"
            allowDeselect={false}
            value={draft.method}
            data={Object.entries(methodWords).map(([value, label]) => ({ value, label }))}
            onChange={(to) => to && change({ method: to as Draft['method'] })}
          />
          <MomentField label="When" data-field="done_at" value={draft.done_at} error={errors.done_at} onChange={(done_at) => change({ done_at })} />
        </div>
        <TextInput
          label="Where"
          description="The kind of place, such as: dining room."
          maxLength={300}
          value={draft.setting}
          onChange={(e) => change({ setting: e.currentTarget.value })}
        />
        <Textarea
          label={`Feedback for ${certificate.user.name}`}
          autosize
          maxLength={5000}
          value={draft.feedback}
          onChange={(e) => change({ feedback: e.currentTarget.value })}
        />
        {about !== null && (
          <TextInput
            label="Why is it corrected?"
            maxLength={1000}
            name="reason"
            value={draft.reason}
            error={errors.reason}
            onChange={(e) => change({ reason: e.currentTarget.value })}
          />
        )}
      </FormSection>
      <WitnessInput witness={draft.witness ?? null} errors={errors} onChange={(witness) => change({ witness })} />
      {before?.evidence && (
        <FormSection title="Files of this record">
          <p className={layout.count}>A file that you leave out is no longer part of the record. It stays with the original version.</p>
          <ul className={layout.list}>
            {before.evidence.map((note, i) => {
              const out = draft.without?.includes(note.id) === true;
              const name = `${evidenceWords[kindOf(note)]} ${i + 1}${note.name ? `, ${note.name}` : ''}`;
              return (
                <li key={note.id} className={layout.between}>
                  <span style={out ? { textDecoration: 'line-through' } : undefined}>{name}</span>
                  <Button
                    variant="default"
                    aria-label={`${out ? 'Put back' : 'Leave out'}: ${name}`}
                    onClick={() =>
                      change({ without: out ? (draft.without ?? []).filter((id) => id !== note.id) : [...(draft.without ?? []), note.id] })
                    }
                  >
                    {out ? 'Put back' : 'Leave out'}
                  </Button>
                </li>
              );
            })}
          </ul>
        </FormSection>
      )}
      <EvidenceInput
        files={draft.files ?? []}
        errors={errors}
        onChange={(to) => change({ files: to(latest.current.files ?? []) })}
        onPending={(more) => {
          pending.current += more;
        }}
      />
    </Form>
  );
};
