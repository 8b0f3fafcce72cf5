import { Autocomplete, Input, NumberInput, Textarea } from '@mantine/core';
import { NewTrainingSession, type Register } from '#contract/entities/training-session.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { today } from '#src/features/training-sessions/words.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DateField, TimeField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { Segmented } from '#src/ui/segmented.tsx';

const planned = { ...{ date: '', startTime: '09:30', endTime: '12:30', venue: '', room: '', aim: '' }, grading_method: 'attendance' as const };

/** Plans a session, or changes what is planned of one. */
export const SessionForm = ({ session, success, onSaved }: { session: Register | null; success: string; onSaved: (id: string) => void }) => {
  const user = useSession();
  const { state } = useRead('GET /venues', { query: { per_page: 100 } });
  const venues = state.kind === 'here' ? state.thing : [];
  /** What is written, where it is one of the organisation’s: each is known by its name. */
  const chosen = (venue: string, room: string) => {
    const found = venues.find((v) => v.name === venue.trim());
    return { venue: found, room: found?.rooms.find((r) => r.name === room.trim()) };
  };
  const fields = useForm({
    schema: NewTrainingSession,
    begin: () => {
      const { date, startTime, endTime, venue, room, aim, grading_method } = session ?? { ...planned, date: today() };
      return {
        ...{ date, startTime, endTime, venue, room, aim, grading_method, maxDelegates: session?.maxDelegates ?? ('' as string | number) },
        course_id: session?.course ?? null,
        trainer_id: session ? session.trainer : user && { id: user.uuid, name: user.name },
      };
    },
    toInput: ({ course_id, trainer_id, maxDelegates, ...typed }) => ({
      ...typed,
      ...{ course_id: course_id?.id, trainer_id: trainer_id?.id },
      ...{ venue_id: chosen(typed.venue, typed.room).venue?.id, room_id: chosen(typed.venue, typed.room).room?.id },
      maxDelegates: maxDelegates === '' ? null : Number(maxDelegates),
    }),
    save: (data) => {
      const { course_id: _course, ...changed } = data;
      return session
        ? call('PATCH /training-sessions/{id}', { params: { id: session.id }, body: changed })
        : call('POST /training-sessions', { body: data });
    },
    success,
    onSaved: ({ id }) => onSaved(id),
    locked: (field) => field === 'course_id' && session !== null && 'The course of a session stays. Cancel it and plan another one.',
    ...(session ? {} : { draft: 'training session' }),
  });
  const { venue, room } = fields.values;
  const names = (all: readonly { name: string }[] = []) => [...new Set(all.map((one) => one.name))];
  const setRoom = (to: string) => {
    fields.set('room', to);
    const { capacity } = chosen(venue, to).room ?? {};
    if (capacity !== undefined) fields.set('maxDelegates', capacity);
  };
  return (
    <Form form={fields} save={session ? 'Save' : 'Plan the session'}>
      <FormSection title="What and who">
        <Picker from="courses" label="Training" description="Goes into the record of everybody who has done it." {...fields.field('course_id')} />
        <Picker from="people" label="Trainer" description="They take the register, also without a connection." {...fields.field('trainer_id')} />
        <Textarea label="Aim" autosize maxLength={1000} {...fields.field('aim')} />
        <Input.Wrapper label="Completed by" size="md" labelElement="div">
          <Segmented
            fullWidth
            size="md"
            mt={6}
            aria-label="Completed by"
            {...fields.field('grading_method')}
            data={[
              { value: 'attendance', label: 'Attendance' },
              { value: 'practical', label: 'Passing the practical part' },
            ]}
          />
        </Input.Wrapper>
      </FormSection>
      <FormSection title="When and where">
        <DateField label="Day" {...fields.field('date')} />
        <div className={form.pair}>
          <TimeField label="From" {...fields.field('startTime')} />
          <TimeField label="To" {...fields.field('endTime')} />
        </div>
        <Autocomplete
          label="Venue"
          description="Choose one of your venues, or type another."
          maxLength={200}
          data={names(venues)}
          {...fields.field('venue')}
        />
        <Autocomplete label="Room" maxLength={200} data={names(chosen(venue, room).venue?.rooms)} {...fields.field('room')} onChange={setRoom} />
        <NumberInput
          label="Maximum number of delegates"
          description="The capacity of the room, where you choose one of yours. Leave it empty for no limit."
          {...{ min: 1, max: 500, clampBehavior: 'strict', allowDecimal: false, allowNegative: false, hideControls: true }}
          {...fields.field('maxDelegates')}
        />
      </FormSection>
    </Form>
  );
};
