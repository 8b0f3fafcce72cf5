import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Delegate, type Mark, MarkArgs, type Register } from '#contract/entities/training-session.ts';
import { can } from '#contract/can.ts';
import { answerState } from '#contract/rules/delegate-answer.ts';
import { hasDone, currentMark, minutesThere, wrongTimes } from '#contract/rules/register.ts';
import { errorsByPath } from '#contract/wording.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { OpenChoice } from '#src/device/use-choices.ts';
import { useDraft } from '#src/device/use-draft.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { usePin } from '#src/device/use-pin.ts';
import classes from '#src/features/training-sessions/register.module.css';
import { NoteAnswer } from '#src/features/training-sessions/note-answer.tsx';
import { useNow } from '#src/features/training-sessions/use-now.ts';
import type { useRegister } from '#src/features/training-sessions/use-register.ts';
import { markLine } from '#src/features/training-sessions/words.ts';
import { clockOffWords } from '#src/lib/clock-words.ts';
import { countOf, formatMoment, formatTime } from '#src/lib/format.ts';
import { signMark } from '#src/offline/kinds/register/commands.ts';
import { TimeField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { HandOver } from '#src/screens/hand-over.tsx';
import { IconCheck } from '#src/ui/icons.tsx';
import { OpenChoices } from '#src/ui/open-choices.tsx';
import layout from '#src/ui/page.module.css';
import { Picker } from '#src/screens/pickers.tsx';
import { Signer } from '#src/ui/signer.tsx';
import { Badge } from '#src/ui/badge.tsx';

type Of = { register: Register; delegate: Delegate };
type Pressed = { label: string; of: string; pressed: boolean; onPress: () => void };
/** A choice between a few buttons, of which the pressed one stays marked. */
const Said = ({ label, of, pressed, onPress }: Pressed) => (
  <Button size="md" variant={pressed ? 'filled' : 'default'} aria-pressed={pressed} aria-label={`${label}: ${of}`} onClick={onPress}>
    {label}
  </Button>
);

/** Somebody's recorded outcome; fields of other grading methods are left out. */
const gradeOf = (mark: Mark | null) => ({
  outcome: mark?.outcome ?? null,
  ...(typeof mark?.score === 'number' ? { score: mark.score } : {}),
  ...(mark?.theory ? { theory: mark.theory } : {}),
});

type Grading = Of & { mark: Mark; onGrade: (grade: Partial<Pick<MarkArgs, 'outcome' | 'score' | 'theory'>>) => void };
/** Somebody's score, saved when the field is left. */
const Score = ({ delegate, mark, onGrade }: Grading) => {
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const save = () => {
    if (typed === null) return;
    const score = typed.trim() === '' ? null : Number(typed);
    const read = MarkArgs.shape.score.safeParse(score);
    if (!read.success) return setError(read.error.issues[0]?.message ?? 'Enter 0 to 100.');
    setTyped(null);
    if (score !== (mark.score ?? null)) onGrade({ score });
  };
  return (
    <TextInput
      label="Score"
      aria-label={`Score of ${delegate.name}`}
      inputMode="numeric"
      maxLength={5}
      w={110}
      value={typed ?? (typeof mark.score === 'number' ? String(mark.score) : '')}
      error={error}
      onChange={(e) => {
        setTyped(e.currentTarget.value);
        setError(null);
      }}
      onBlur={save}
      onKeyDown={(e) => e.key === 'Enter' && save()}
    />
  );
};
const parts = {
  outcome: (grading: Register['grading_method']) => (grading === 'pass_fail' ? 'result' : 'practical part'),
  theory: () => 'theory',
};
/** The outcome of somebody present, by the session's grading method. */
const Grades = (props: Grading) => {
  const { register, delegate, mark, onGrade } = props;
  const { grading_method: grading } = register;
  if (grading === 'attendance') return null;
  if (grading === 'score') return <Score {...props} />;
  const shown = grading === 'practical_theory' ? (['outcome', 'theory'] as const) : (['outcome'] as const);
  return shown.map((part) => {
    const name = shown.length > 1 ? `${delegate.name}, ${parts[part](grading)}` : delegate.name;
    return (
      <fieldset key={part} aria-label={`The ${parts[part](grading)} of ${delegate.name}`}>
        {shown.length > 1 && <span className={classes.part}>{part === 'theory' ? 'Theory' : 'Practical'}</span>}
        {(['passed', 'not_yet'] as const).map((to) => (
          <Said
            key={to}
            label={to === 'passed' ? 'Passed' : 'Not yet'}
            of={name}
            pressed={mark[part] === to}
            onPress={() => mark[part] !== to && onGrade({ [part]: to })}
          />
        ))}
      </fieldset>
    );
  });
};

type Details = { arrived: string; left: string; note: string };
/** When somebody arrived and left, with notes; the draft is stored at every keystroke. */
const More = ({ register, delegate, onMark, onClose }: Of & { onMark: (to: MarkArgs) => Promise<boolean>; onClose: () => void }) => {
  const mark = currentMark(delegate);
  const draft = useDraft<Details>(`register:${register.id}:${delegate.id}`, {
    ...{ arrived: mark?.arrived ?? '', left: mark?.left ?? '', note: mark?.note ?? '' },
  });
  const typed = draft.value;
  const [errors, setErrors] = useState<Partial<Record<string, string | undefined>>>({});
  const change = (to: Partial<Details>) => {
    setErrors({});
    draft.change({ ...typed, ...to });
  };
  const close = () => {
    void draft.drop();
    onClose();
  };
  const save = async () => {
    const [arrived, left] = [typed.arrived || null, typed.left || null];
    const read = MarkArgs.safeParse({ presence: 'present', arrived, left, ...gradeOf(mark), note: typed.note });
    if (!read.success) return setErrors(Object.fromEntries(Object.entries(errorsByPath(read.error.issues)).map(([path, [first]]) => [path, first])));
    const wrong = wrongTimes(register, read.data);
    if (wrong) return setErrors({ arrived: wrong });
    if (await onMark(read.data)) close();
  };
  return (
    <div className={form.group} style={{ padding: 0 }}>
      <div className={form.pair}>
        <TimeField
          label={`${delegate.name} arrived late, at`}
          value={typed.arrived}
          error={errors.arrived}
          onChange={(arrived) => change({ arrived })}
        />
        <TimeField label={`${delegate.name} left early, at`} value={typed.left} error={errors.left} onChange={(left) => change({ left })} />
      </div>
      <TextInput
        label={`Note about ${delegate.name}`}
        maxLength={1000}
        value={typed.note}
        error={errors.note}
        onChange={(e) => change({ note: e.currentTarget.value })}
      />
      <div className={layout.tools}>
        <Button onClick={() => void save()}>Save</Button>
        <Button variant="default" onClick={close}>
          Leave it as it was
        </Button>
      </div>
    </div>
  );
};

/** The device in the delegate's hands: it shows only their own mark. */
const Sign = ({ register, delegate, onBack }: Of & { onBack: () => void }) => {
  const db = usePersonDb();
  const me = useSession();
  const mark = currentMark(delegate);
  const pin = usePin(delegate.user?.id ?? null);
  if (!mark) return null;
  return (
    <HandOver name={delegate.name} title={`${delegate.name}, is this so?`} onBack={onBack}>
      {(giveBack) => (
        <>
          <section className={`app-card ${layout.block}`} aria-label="What was noted">
            <strong>{register.course.name}</strong>
            <span>{markLine(mark, register.grading_method)}</span>
            <span className={layout.soft}>{countOf(minutesThere(register, mark), 'minute')} of the session</span>
          </section>
          <Signer
            name={delegate.name}
            label={`Signature of ${delegate.name}`}
            pin={pin}
            onSign={async (proof) => {
              if (!me) return 'You have been signed out. Sign in again; what was noted is kept.';
              const { method, drawing } = proof;
              if (method === 'signed_in') return 'Sign by hand, or with a PIN.';
              try {
                await signMark(db, me, register, delegate, { mark_id: mark.id, method, drawing });
              } catch {
                return 'This could not be saved on the device. Please try again.';
              }
              giveBack();
              return null;
            }}
          />
          <Button variant="subtle" color="gray" onClick={giveBack} style={{ justifySelf: 'start' }}>
            Not now: hand the device back
          </Button>
        </>
      )}
    </HandOver>
  );
};

/** Matches a name on the register to a person. It needs a connection. */
const Match = ({ register, delegate, change }: Of & { change: ReturnType<typeof useRegister>['change'] }) => {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Picker
      from="people"
      label={`Who ${delegate.name} is`}
      description="It is in nobody’s record until this is answered."
      value={null}
      error={problem}
      onChange={(person) =>
        person &&
        void change(
          call('PATCH /training-sessions/{id}/delegates/{delegate}', {
            params: { id: register.id, delegate: delegate.id },
            body: { user_id: person.id },
          }),
        ).then(setProblem)
      }
    />
  );
};

/** A delegate's answer about their place; hidden if nobody asks. */
const answerWords = ({ answer, move }: Delegate, now: string) => {
  const state = answer === undefined ? (move === 'asked' ? 'asked' : null) : answerState(answer, now);
  const until = answer?.lapses_at && formatMoment(answer.lapses_at);
  if (state === 'lapsed') return `moved up, and has not accepted by ${until}`;
  if (state === 'asked' && until) return `moved up, and is asked to accept by ${until}`;
  if (state === 'accepted') return answer?.at ? 'has accepted' : 'has not answered, and counts as coming';
  if (state === 'asked') return move === 'asked' ? 'has not answered whether they can come to the new time' : 'has not answered yet';
  return false;
};

/** Whether the office can record an answer for them: while they are on the list, even after their time to accept is over. */
const isAsked = ({ answer }: Delegate, now: string) => ['asked', 'lapsed'].includes(answerState(answer, now) ?? '');

/** “checked in 09:58”: their own check-in, beside the trainer's mark. */
const checkedInWords = ({ checked_in: at }: Delegate) =>
  at && `checked in ${formatTime(at.at)}${at.late ? ' (received later)' : ''}${at.clock_off_ms ? `. ${clockOffWords(at.clock_off_ms)}` : ''}`;

type Props = Of & {
  change: ReturnType<typeof useRegister>['change'];
  takes: boolean;
  /** Whether the user may match a name to a person. */
  matches: boolean;
  choices: readonly OpenChoice[];
  /** Returns whether it is saved. */
  onMark: (to: MarkArgs) => Promise<boolean>;
};
/** One person on the register: present or not, times, outcome, signature. */
export const DelegateCard = ({ register, delegate, change, takes, matches, choices, onMark }: Props) => {
  const me = useSession();
  const [open, setOpen] = useState(false);
  const [signing, setSigning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const mark = currentMark(delegate);
  const signed = delegate.signature !== null && delegate.signature.mark_id === mark?.id;
  const { name } = delegate;
  const now = useNow();
  const recorded = { arrived: mark?.arrived ?? null, left: mark?.left ?? null, note: mark?.note ?? '' };
  const takeOff = (
    <Button
      variant="subtle"
      color="red"
      aria-label={`Take off the list: ${name}`}
      onClick={() =>
        void change(call('DELETE /training-sessions/{id}/delegates/{delegate}', { params: { id: register.id, delegate: delegate.id } })).then(
          setProblem,
        )
      }
    >
      Take off the list
    </Button>
  );
  return (
    <article className={`app-card ${layout.stack} ${classes.delegate}`} aria-label={name}>
      <div className={layout.between}>
        <span>
          <strong>{name}</strong>
          <small className={layout.soft}>
            {[
              delegate.place,
              checkedInWords(delegate),
              !mark && !delegate.checked_in && answerWords(delegate, now),
              delegate.walk_in && 'came without being on the list',
              delegate.note,
            ]
              .filter(Boolean)
              .join(' · ')}
          </small>
          {mark && (
            <small className={layout.soft}>
              {markLine(mark, register.grading_method)}
              {(mark.arrived || mark.left) && `, ${countOf(minutesThere(register, mark), 'minute')}`}
            </small>
          )}
        </span>
        {takes ? (
          <span className={`${layout.tools} ${classes.choices}`}>
            <fieldset aria-label={`Whether ${name} is here`}>
              <Said
                label="Here"
                of={name}
                pressed={mark?.presence === 'present'}
                onPress={() => mark?.presence !== 'present' && void onMark({ ...recorded, presence: 'present', outcome: null })}
              />
              <Said
                label="Absent"
                of={name}
                pressed={mark?.presence === 'absent'}
                onPress={() =>
                  mark?.presence !== 'absent' && void onMark({ presence: 'absent', arrived: null, left: null, outcome: null, note: recorded.note })
                }
              />
            </fieldset>
            {mark?.presence === 'present' && (
              <Grades
                {...{ register, delegate, mark }}
                onGrade={(grade) => void onMark({ ...recorded, presence: 'present', ...gradeOf(mark), ...grade })}
              />
            )}
          </span>
        ) : (
          delegate.recorded && (
            <Badge tone="ok" icon={IconCheck}>
              In their record
            </Badge>
          )
        )}
      </div>
      <OpenChoices choices={choices} />
      {!takes && (signed || (register.completed && mark && !hasDone(register, mark))) && (
        <div className={`${layout.tools} ${classes.actions}`}>
          {signed && (
            <Badge tone="ok" icon={IconCheck}>
              Signed
            </Badge>
          )}
          {register.completed && mark && !hasDone(register, mark) && <span className={layout.soft}>Not in their record by this session</span>}
        </div>
      )}
      {!takes && !register.completed && mark === null && (
        <div className={`${layout.tools} ${classes.actions}`}>
          {isAsked(delegate, now) && can(me, ['booking.update', 'delegate.mark']) && (
            <NoteAnswer {...{ register, delegate, change }} onProblem={setProblem} />
          )}
          {can(me, 'delegate.remove') && takeOff}
        </div>
      )}
      {takes && (
        <div className={`${layout.tools} ${classes.actions}`}>
          {mark?.presence === 'present' && !open && (
            <Button variant="subtle" aria-label={`Late, early, note: ${name}`} onClick={() => setOpen(true)}>
              Late, early, note
            </Button>
          )}
          {mark?.presence === 'present' && !signed && (
            <Button variant="subtle" aria-label={`Sign: ${name}`} onClick={() => setSigning(true)}>
              Sign
            </Button>
          )}
          {signed && (
            <Badge tone="ok" icon={IconCheck}>
              Signed
            </Badge>
          )}
          {delegate.recorded && (
            <Badge tone="ok" icon={IconCheck}>
              In their record
            </Badge>
          )}
          {register.completed && mark && !hasDone(register, mark) && <span className={layout.soft}>Not in their record by this session</span>}
          {!register.completed && mark === null && can(me, 'delegate.remove') && takeOff}
        </div>
      )}
      {problem && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {problem}
        </p>
      )}
      {open && <More {...{ register, delegate, onMark }} onClose={() => setOpen(false)} />}
      {matches && !delegate.user && <Match {...{ register, delegate, change }} />}
      {mark?.clock_off_ms && <p className={layout.soft}>{clockOffWords(mark.clock_off_ms)}</p>}
      {delegate.marks.length > 1 && (
        <details className={classes.notes}>
          <summary className={layout.soft}>
            {countOf(delegate.marks.length, 'note')} of {name}
          </summary>
          <ul className={`${layout.plain} ${layout.stack} ${layout.tight} ${classes.history}`}>
            {delegate.marks.map((m) => (
              <li key={m.id} className={layout.soft}>
                {formatMoment(m.at)}, {m.by.name}: {markLine(m, register.grading_method)}
                {m.clock_off_ms ? `. ${clockOffWords(m.clock_off_ms)}` : ''}
              </li>
            ))}
          </ul>
        </details>
      )}
      {signing && <Sign {...{ register, delegate }} onBack={() => setSigning(false)} />}
    </article>
  );
};
