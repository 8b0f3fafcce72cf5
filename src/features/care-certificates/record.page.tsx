import '@mantine/core/styles/Combobox.css';
import { Button, Select, Textarea, TextInput, Title } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { ObservationRecord, Witness } from '#contract/entities/care-certificate.ts';
import { Instant } from '#contract/entities/fields.ts';
import type { Criterion } from '#contract/entities/care-standards.ts';
import { competentIn, standardOf } from '#contract/rules/competence.ts';
import { methodFits, recordsNow } from '#contract/rules/certificate-progress.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { sayWhereNotKept } from '#src/device/draft-not-kept.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { type DraftFile, draftFilesWhole, dropDraftFile, FileRefused, kindOf } from '#src/features/care-certificates/draft-files.ts';
import evidence from '#src/features/care-certificates/evidence.module.css';
import { EvidenceInput } from '#src/features/care-certificates/evidence-input.tsx';
import classes from '#src/features/care-certificates/certificates.module.css';
import { type CertificateView, useCertificate, useOwnCompetence } from '#src/features/care-certificates/use-certificate.ts';
import { evidenceWords, methodWords, outcomeWords } from '#src/features/care-certificates/words.ts';
import { dayTyped } from '#src/lib/day-text.ts';
import { countOf, dayOf, instantAt } from '#src/lib/format.ts';
import { fromLocalTime, toLocalTime } from '#src/lib/local-time.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { amendObservation, recordObservation } from '#src/offline/kinds/certificate/commands.ts';
import { NotSaved } from '#src/offline/outbox/commit.ts';
import { dropDraft, keepDraft } from '#src/offline/drafts.ts';
import { draftPrefix } from '#src/offline/store/person-db.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { DateField, MomentField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

type Outcome = keyof typeof outcomeWords;
type Note = { outcome: Outcome; action: string; due: string };
/** What is typed, kept at every keystroke. `from`: the activity, or `standard:CODE`. */
type Draft = {
  from: string | null;
  done_at: string;
  method: ObservationRecord['method'];
  setting: string;
  seen: string;
  feedback: string;
  reason: string;
  notes: Record<string, Note>;
  witness?: Witness | null;
  files?: DraftFile[];
  /** Files of the record that is corrected which are not part of it any more. */
  without?: string[];
};
const nobody: Witness = { name: '', role: '', relationship: '', contact: '', statement: '' };
const none: Note = { outcome: 'not_observed', action: '', due: '' };
const draftKey = (certificateId: string, about: string | null) => `${draftPrefix}observation:${about ?? certificateId}`;

const begin = (record: ObservationRecord | null): Draft => ({
  from: null,
  done_at: toLocalTime(record?.done_at ?? correctedNow().toISOString()),
  method: record?.method ?? 'observation',
  setting: record?.setting ?? '',
  seen: record?.seen ?? '',
  feedback: record?.feedback ?? '',
  reason: '',
  witness: record?.witness ?? null,
  notes: Object.fromEntries(
    (record?.criteria ?? []).map((c) => [c.criterion, { outcome: c.outcome, action: c.action ?? '', due: c.due ? dayOf(c.due) : '' }]),
  ),
});

type ChoiceProps = {
  criterion: Criterion;
  note: Note;
  method: ObservationRecord['method'];
  /** Whether they may decide that it is met. */
  competent: boolean;
  errors: { action: string | undefined; due: string | undefined };
  onChange: (note: Note) => void;
};
/** One criterion: seen and met, not yet, or not seen; for not yet, what is to be done. */
const CriterionChoice = ({ criterion, note, method, competent, errors, onChange }: ChoiceProps) => {
  const fits = methodFits(criterion, method);
  const name = `${criterion.code} ${criterion.text}`;
  return (
    <li className={classes.choice}>
      <span className={classes.criterion}>
        {name}
        {!fits && <small className={layout.soft}>This has to be seen in real work to be met.</small>}
        {!competent && (
          <small className={layout.soft}>
            You are not recorded as competent to assess this standard: record it, and a competent assessor decides.
          </small>
        )}
      </span>
      <Segmented
        fullWidth
        size="md"
        aria-label={name}
        value={note.outcome}
        onChange={(to) => onChange({ ...note, outcome: to as Outcome })}
        data={(['met', 'not_yet_met', 'not_observed'] as const).map((value) => ({
          value,
          label: outcomeWords[value],
          disabled: value === 'met' && !(fits && competent),
        }))}
      />
      {note.outcome === 'not_yet_met' && (
        <div className={form.pair}>
          <TextInput
            label={`What is to be done about ${criterion.code}`}
            name={`action.${criterion.code}`}
            maxLength={1000}
            value={note.action}
            error={errors.action}
            onChange={(e) => onChange({ ...note, action: e.currentTarget.value })}
          />
          <DateField
            label={`By when, for ${criterion.code}`}
            data-field={`due.${criterion.code}`}
            value={note.due}
            error={errors.due}
            onChange={(due) => onChange({ ...note, due })}
          />
        </div>
      )}
    </li>
  );
};

const Planner = ({ view, from, onChoose }: { view: CertificateView; from: string | null; onChoose: (from: string | null) => void }) => {
  const openOf = (codes: readonly string[]) => codes.filter((c) => view.states.get(c)?.state !== 'met').length;
  const standard = view.standards.standards.find((s) => `standard:${s.code}` === from);
  const chosen = standard ? `${standard.code} ${standard.title}` : view.standards.activities.find((a) => a.id === from)?.title;
  if (chosen)
    return (
      <div className={`app-card ${classes.row}`} data-wide>
        <strong>{chosen}</strong>
        <Button variant="default" onClick={() => onChoose(null)}>
          Something else
        </Button>
      </div>
    );
  return (
    <FormSection title="What are they doing?" wide>
      <div className={classes.activities}>
        {view.standards.activities.map((a) => (
          <button key={a.id} type="button" className={classes.activity} aria-pressed={from === a.id} onClick={() => onChoose(a.id)}>
            {a.title}
            <small>{countOf(openOf(a.criteria), 'open criterion', 'open criteria')}</small>
          </button>
        ))}
      </div>
      <Select
        label="Or go by a standard"
        placeholder="Choose one"
        value={from?.startsWith('standard:') ? from : null}
        data={view.standards.standards.map((s) => ({ value: `standard:${s.code}`, label: `${s.code} ${s.title}` }))}
        onChange={(to) => to && onChoose(to)}
      />
    </FormSection>
  );
};

const trimmed = (witness: Witness): Witness => ({
  name: witness.name.trim(),
  role: witness.role.trim(),
  relationship: witness.relationship.trim(),
  contact: witness.contact.trim(),
  statement: witness.statement.trim(),
});
const witnessErrors = ({ method, witness }: Draft): Record<string, string> => {
  if (!witness) return method === 'witness_testimony' ? { witness: 'Say who saw it, and what they say.' } : {};
  const { name, role, statement } = trimmed(witness);
  return {
    ...(name === '' ? { 'witness.name': 'This field is required.' } : {}),
    ...(role === '' ? { 'witness.role': 'This field is required.' } : {}),
    ...(statement === '' ? { 'witness.statement': 'This field is required.' } : {}),
  };
};
const fileErrors = (files: readonly DraftFile[]): Record<string, string> =>
  Object.fromEntries(
    files.flatMap((f) =>
      f.people === ''
        ? [[`file.${f.id}`, 'Say whether anyone can be recognised.']]
        : f.people === 'agreed' && f.consent.trim() === ''
          ? [[`file.${f.id}`, 'Say how they agreed.']]
          : [],
    ),
  );

const witnessFields = [
  ['name', 'Name of the witness', 200],
  ['role', 'Their role', 200],
  ['relationship', 'How they know the person', 200],
  ['contact', 'How to reach them', 200],
] as const;
type WitnessProps = { witness: Witness | null; errors: Partial<Record<string, string>>; onChange: (witness: Witness | null) => void };
/** Somebody without an account who saw it. */
const WitnessInput = ({ witness, errors, onChange }: WitnessProps) => (
  <FormSection title="A witness" data-field="witness">
    {errors.witness && <p className={form.refused}>{errors.witness}</p>}
    {witness === null ? (
      <Button variant="default" style={{ justifySelf: 'start' }} onClick={() => onChange(nobody)}>
        Somebody else saw it
      </Button>
    ) : (
      <>
        <p className={evidence.intro}>Somebody without an account here. They sign on this device; a colleague of yours asks them later.</p>
        <div className={form.pair}>
          {witnessFields.map(([field, label, most]) => (
            <TextInput
              key={field}
              label={label}
              name={`witness.${field}`}
              maxLength={most}
              value={witness[field]}
              error={errors[`witness.${field}`]}
              onChange={(e) => onChange({ ...witness, [field]: e.currentTarget.value })}
            />
          ))}
        </div>
        <Textarea
          label="What they say"
          autosize
          minRows={2}
          name="witness.statement"
          maxLength={5000}
          value={witness.statement}
          error={errors['witness.statement']}
          onChange={(e) => onChange({ ...witness, statement: e.currentTarget.value })}
        />
        <Button variant="subtle" color="gray" style={{ justifySelf: 'start' }} onClick={() => onChange(null)}>
          No witness
        </Button>
      </>
    )}
  </FormSection>
);

type FormProps = { view: CertificateView; about: string | null; begun: Draft };
const RecordForm = ({ view, about, begun }: FormProps) => {
  const db = usePersonDb();
  const me = useSession();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(begun);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const { certificate, criteria, states, standards } = view;
  const noted = useOwnCompetence();
  const today = dayOf(correctedNow());
  const key = draftKey(certificate.id, about);
  const before = about === null ? null : recordsNow(view.observations).get(about);
  const latest = useRef(draft);
  const pending = useRef(0);
  const change = (to: Partial<Draft>) => {
    const next = { ...latest.current, ...to };
    latest.current = next;
    setDraft(next);
    setErrors({});
    sayWhereNotKept(keepDraft(db, key, next));
  };
  // What can be seen in this activity and is still open; what was said something of already stays in sight.
  const offered = useMemo(() => {
    const { from } = draft;
    const chosen = from?.startsWith('standard:')
      ? (standards.standards.find((s) => `standard:${s.code}` === from)?.outcomes.flatMap((o) => o.criteria.map((c) => c.code)) ?? [])
      : (standards.activities.find((a) => a.id === from)?.criteria ?? []);
    const still = chosen.filter((c) => states.get(c)?.state !== 'met');
    const said = Object.keys(draft.notes).filter((c) => (about !== null || draft.notes[c]?.outcome !== 'not_observed') && !still.includes(c));
    return [...said, ...still].flatMap((c) => criteria.get(c) ?? []);
  }, [draft, standards, states, criteria, about]);

  const submit = async () => {
    if (!me || busy) return;
    // What is still on its way would come after the record, and begin another one.
    if (pending.current > 0)
      return setErrors({ whole: 'A file is still on its way, or the microphone is on: wait for it, or stop it, and save then.' });
    const files = draft.files ?? [];
    const said = offered.flatMap((c) => {
      const note = draft.notes[c.code] ?? none;
      return note.outcome === 'not_observed' ? [] : [{ code: c.code, ...note }];
    });
    const done = fromLocalTime(draft.done_at);
    const wrong: typeof errors = {
      ...(done === null || !Instant.safeParse(done).success
        ? { done_at: 'Enter a date and a time such as 21/11/2026, 14:30.' }
        : Date.parse(done) > correctedNow().getTime() + 60_000
          ? { done_at: 'Give a time that is not in the future.' }
          : {}),
      ...(draft.seen.trim() === '' ? { seen: 'Write what you saw or heard.' } : {}),
      ...(said.length === 0 ? { criteria: 'Say of at least one criterion whether it is met.' } : {}),
      ...(about !== null && draft.reason.trim() === '' ? { reason: 'Say why it is corrected.' } : {}),
      ...Object.fromEntries(
        said.filter((s) => s.outcome === 'not_yet_met' && s.action.trim() === '').map((s) => [`action.${s.code}`, 'Say what is to be done.']),
      ),
      ...Object.fromEntries(
        said
          .filter((s) => s.outcome === 'not_yet_met' && s.due !== '' && dayTyped(s.due) === null)
          .map((s) => [`due.${s.code}`, 'Enter a date such as 21/11/2026.']),
      ),
      ...Object.fromEntries(
        said
          .filter((s) => s.outcome === 'met' && !methodFits(criteria.get(s.code) as Criterion, draft.method))
          .map((s) => ['criteria', `${s.code} has to be seen in real work: change how it was shown, or what you say of it.`]),
      ),
      ...witnessErrors(draft),
      ...fileErrors(files),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0 || done === null) return;
    setBusy(true);
    const whole = await draftFilesWhole(db, files).catch((refused: unknown) => {
      setErrors({ whole: refused instanceof FileRefused ? refused.message : 'The files of this record could not be read.' });
      setBusy(false);
    });
    if (!whole) return;
    const stays = (before?.evidence ?? []).filter((note) => !draft.without?.includes(note.id));
    const proof = [...stays, ...whole.map(({ data: _, ...note }) => note)];
    const record: ObservationRecord = {
      done_at: done,
      ...{ method: draft.method, setting: draft.setting.trim(), seen: draft.seen.trim(), feedback: draft.feedback.trim() },
      criteria: said.map((s) => ({
        criterion: s.code,
        outcome: s.outcome,
        action: s.outcome === 'not_yet_met' ? s.action.trim() : null,
        due: s.outcome === 'not_yet_met' && s.due !== '' ? instantAt(s.due) : null,
      })),
      ...(draft.witness ? { witness: trimmed(draft.witness) } : {}),
      ...(proof.length > 0 ? { evidence: proof } : {}),
    };
    try {
      const saved = about
        ? await amendObservation(db, me, certificate, about, draft.reason.trim(), record, whole)
        : await recordObservation(db, me, certificate, record, whole);
      await dropDraft(db, key);
      await Promise.all(files.map((f) => dropDraftFile(db, f.id)));
      notify('success', 'Saved on this device. It goes when there is a connection.');
      void navigate(pathTo('care-certificate-sign', { uuid: certificate.id, record: about ?? saved }));
    } catch (error) {
      const full = error instanceof NotSaved && error.reason === 'full';
      setErrors({
        whole: full
          ? 'This device is full: the record is not saved yet. What you typed and its files stay here. Make room, or take a file out, and save again.'
          : 'This could not be saved on the device. What you typed stays here; please try again.',
      });
      setBusy(false);
    }
  };
  return (
    <Form
      form={{
        ...{ errors, busy },
        submit: (event) => {
          event.preventDefault();
          void submit();
        },
      }}
      beside={
        <Button variant="default" component={Link} to={pathTo('care-certificate-by-uuid', { uuid: certificate.id })}>
          Later
        </Button>
      }
    >
      {about === null && <Planner view={view} from={draft.from} onChoose={(from) => change({ from })} />}
      {offered.length > 0 && (
        <FormSection title="What did you see?" wide data-field="criteria">
          {errors.criteria && <p className={form.refused}>{errors.criteria}</p>}
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
          <p className={layout.count}>One that is left out is not part of the record any more. It stays with what was recorded first.</p>
          <ul className={layout.list}>
            {before.evidence.map((note, i) => {
              const out = draft.without?.includes(note.id) === true;
              const name = `${evidenceWords[kindOf(note)]} ${i + 1}${note.name ? `, ${note.name}` : ''}`;
              return (
                <li key={note.id} className={classes.head}>
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

/** What was typed before and not saved yet, or the record that is corrected, or nothing. */
const useBegun = (view: CertificateView | null, about: string | null): Draft | null | 'gone' => {
  const db = usePersonDb();
  const [begun, setBegun] = useState<Draft | null | 'gone'>(null);
  const id = view?.certificate.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for a certificate; what comes later does not take over what is typed
  useEffect(() => {
    if (!view || !id) return;
    const record = about === null ? null : recordsNow(view.observations).get(about);
    if (about !== null && !record) return setBegun('gone');
    void db.kv.get(draftKey(id, about)).then((kept) => setBegun((kept?.value as Draft | undefined) ?? begin(record ?? null)));
  }, [id, about, db]);
  return begun;
};

/** Records what an assessor sees, with or without a connection. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const [query] = useSearchParams();
  const about = query.get('about');
  const me = useSession();
  const brand = useBrand();
  const { view, problem, reload } = useCertificate(uuid);
  const begun = useBegun(view, about);
  const own = view?.certificate.user.id === me?.uuid;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {view ? `${about ? 'Correct a record of' : 'Observe'} ${view.certificate.user.name}` : brand.certificateGroupMenuName}
      </Title>
      {!view && !problem && <LoadingState label="Loading the certificate" />}
      {!view && problem?.offline && <OfflineState what={problem.message} onRetry={() => void reload()} />}
      {!view && problem && !problem.offline && <ErrorState message={problem.message} onRetry={() => void reload()} />}
      {begun === 'gone' && <ErrorState message="This record is not here, or it was withdrawn." />}
      {view && own && <ErrorState message="You cannot observe yourself. Ask your assessor." />}
      {view && !own && begun !== null && begun !== 'gone' && <RecordForm key={`${uuid}:${about}`} view={view} about={about} begun={begun} />}
    </div>
  );
};
