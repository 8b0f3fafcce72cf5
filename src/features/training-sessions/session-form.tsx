import { Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Register } from '#contract/entities/training-session.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { findCourses, findPeople } from '#src/api/find.ts';
import { today } from '#src/features/training-sessions/words.ts';
import form from '#src/ui/form.module.css';
import { SearchedSelect } from '#src/ui/searched-select.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

type Typed = Pick<Register, 'date' | 'startTime' | 'endTime' | 'venue' | 'room' | 'aim' | 'grading_method'> & { maxDelegates: string };
type Option = { id: string; title: string };

/** Plans a session, or changes what is planned of one. */
export const SessionForm = ({ session, onSaved }: { session: Register | null; onSaved: (id: string) => void }) => {
  const user = useSession();
  const [course, setCourse] = useState<Option | null>(session ? { id: session.course.id, title: session.course.name } : null);
  const [trainer, setTrainer] = useState<Option | null>(
    session ? { id: session.trainer.id, title: session.trainer.name } : user ? { id: user.uuid, title: user.name } : null,
  );
  const [typed, setTyped] = useState<Typed>(
    session
      ? { ...session, maxDelegates: String(session.maxDelegates ?? '') }
      : {
          ...{ date: today(), startTime: '09:30', endTime: '12:30', venue: '', room: '', aim: '', grading_method: 'attendance' },
          maxDelegates: '',
        },
  );
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const change = (to: Partial<Typed>) => {
    setTyped({ ...typed, ...to });
    setErrors({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = {
      ...(course === null ? { course_id: 'Choose a course.' } : {}),
      ...(trainer === null ? { trainer_id: 'Choose who gives it.' } : {}),
      ...(typed.date === '' ? { date: 'Enter a date.' } : {}),
      ...(typed.startTime === '' ? { startTime: 'Give a time.' } : {}),
      ...(typed.endTime === ''
        ? { endTime: 'Give a time.' }
        : typed.endTime <= typed.startTime
          ? { endTime: 'The end is before the beginning.' }
          : {}),
      ...(typed.venue.trim() === '' ? { venue: 'Enter the venue.' } : {}),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0 || !course || !trainer) return;
    setBusy(true);
    const { date, startTime, endTime, venue, room, aim, grading_method } = typed;
    const planned = {
      ...{ date, startTime, endTime, venue, room, aim, grading_method },
      maxDelegates: typed.maxDelegates === '' ? null : Number(typed.maxDelegates),
      trainer_id: trainer.id,
    };
    const result = session
      ? await call('PATCH /training-sessions/{id}', { params: { id: session.id }, body: planned })
      : await call('POST /training-sessions', { body: { ...planned, course_id: course.id } });
    setBusy(false);
    if (result.kind === 'ok') onSaved(result.data.id);
    else setErrors(fieldErrorsOf(result));
  };
  const field = (name: keyof Typed) => ({
    value: typed[name],
    error: errors[name],
    onChange: (e: { currentTarget: { value: string } }) => change({ [name]: e.currentTarget.value }),
  });
  return (
    <form noValidate className={form.form} onSubmit={(event) => void submit(event)}>
      <ErrorSummary errors={errors} />
      <fieldset className={`app-card ${form.group}`} disabled={busy}>
        <legend>What and who</legend>
        <SearchedSelect
          label="Training"
          description="Who has done it has this course in their record."
          placeholder="Choose a course"
          nothing="Nothing of this title"
          search={findCourses}
          value={course}
          disabled={session !== null}
          error={errors.course_id}
          onChange={(to) => {
            setCourse(to);
            setErrors({});
          }}
        />
        <SearchedSelect
          label="Trainer"
          description="They take the register, also without a connection."
          placeholder="Name or e-mail address"
          nothing="Nobody of this name"
          search={findPeople}
          value={trainer}
          error={errors.trainer_id}
          onChange={(to) => {
            setTrainer(to);
            setErrors({});
          }}
        />
        <Textarea label="Aim" autosize maxLength={1000} {...field('aim')} />
      </fieldset>
      <fieldset className={`app-card ${form.group}`} disabled={busy}>
        <legend>When and where</legend>
        <div className={form.pair}>
          <TextInput label="Day" type="date" {...field('date')} />
          <TextInput label="From" type="time" {...field('startTime')} />
          <TextInput label="To" type="time" {...field('endTime')} />
        </div>
        <div className={form.pair}>
          <TextInput label="Place" maxLength={200} {...field('venue')} />
          <TextInput label="Room" maxLength={200} {...field('room')} />
        </div>
        <NumberInput
          label="How many at most"
          description="Empty: as many as come."
          {...{ min: 1, max: 500, clampBehavior: 'strict', allowDecimal: false, allowNegative: false, hideControls: true }}
          value={typed.maxDelegates}
          error={errors.maxDelegates}
          onChange={(to) => change({ maxDelegates: String(to) })}
        />
      </fieldset>
      <fieldset className={`app-card ${form.group}`} disabled={busy}>
        <legend>By what it is done</legend>
        <Segmented
          fullWidth
          size="md"
          aria-label="By what it is done"
          value={typed.grading_method}
          onChange={(to) => change({ grading_method: to as Typed['grading_method'] })}
          data={[
            { value: 'attendance', label: 'Having been there' },
            { value: 'practical', label: 'Passing the practical part' },
          ]}
        />
      </fieldset>
      <div className={form.actions}>
        <Button type="submit" loading={busy}>
          {session ? 'Save' : 'Plan the session'}
        </Button>
      </div>
    </form>
  );
};
