import { Autocomplete, Checkbox, Input, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { NewTrainingSession, type Register } from '#contract/entities/training-session.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { noRepeat, RepeatFields } from '#src/features/training-sessions/repeat-fields.tsx';
import { nearDay, today } from '#src/device/near-day.ts';
import { TrainerNotes } from '#src/features/training-sessions/trainer-notes.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DateField, TimeField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';

const planned = {
  ...{
    date: '',
    startTime: '09:30',
    endTime: '12:30',
    venue: '',
    room: '',
    aim: '',
    grading_method: 'attendance' as Register['grading_method'],
    area: '',
  },
  ...{ learningOutcomes: '', contentCovered: '', availableTo: 'own' as const, virtual: false, joining_link: '' },
  ...{ external_provider: false, external_trainer: '', bring: '' },
};
const gradings: { value: Register['grading_method']; label: string }[] = [
  { value: 'attendance', label: 'Attendance' },
  { value: 'practical', label: 'Passing the practical part' },
  { value: 'pass_fail', label: 'Passing: passed or not yet' },
  { value: 'score', label: 'A score of at least the pass mark' },
  { value: 'practical_theory', label: 'Passing the practical and the theory' },
];
type Typed = string | number;
const numberOf = (typed: Typed) => (typed === '' ? null : Number(typed));
const places = { min: 1, max: 500, clampBehavior: 'strict', allowDecimal: false, allowNegative: false, hideControls: true } as const;

type SessionFormProps = {
  session: Register | null;
  /** The day to which it is moved; default: its own, or today. */
  day?: string | null;
  success: string;
  onSaved: (id: string) => void;
};
/** Plans a session, or changes its plan. */
export const SessionForm = ({ session, day = null, success, onSaved }: SessionFormProps) => {
  const user = useSession();
  const { state } = useRead('GET /venues', { query: { per_page: 100 } });
  const venues = state.kind === 'loaded' ? state.data : [];
  /** The venue and room of the organisation with the typed names, if any. */
  const chosen = (venue: string, room: string) => {
    const found = venues.find((v) => v.name === venue.trim());
    return { venue: found, room: found?.rooms.find((r) => r.name === room.trim()) };
  };
  const fields = useForm({
    schema: NewTrainingSession,
    begin: () => {
      const from = session ?? { ...planned, date: today() };
      const { date, startTime, endTime, venue, room, aim, grading_method, learningOutcomes, contentCovered, availableTo, virtual, joining_link } =
        from;
      return {
        ...{
          date: day ?? date,
          startTime,
          endTime,
          venue,
          room,
          aim,
          grading_method,
          learningOutcomes,
          contentCovered,
          availableTo,
          virtual,
          joining_link,
        },
        ...{ area: from.area ?? '', bring: from.bring ?? '', external_provider: from.external_provider, external_trainer: from.external_trainer },
        ...{
          maxDelegates: (session?.maxDelegates ?? '') as Typed,
          minDelegates: (session?.minDelegates ?? '') as Typed,
          pass_mark: (session?.pass_mark ?? 80) as Typed,
        },
        ...{ ...noRepeat, following: false },
        course_id: session?.course ?? null,
        trainer_id: session ? session.trainer : user && { id: user.uuid, name: user.name },
      };
    },
    toInput: ({
      course_id,
      trainer_id,
      maxDelegates,
      minDelegates,
      joining_link,
      external_trainer,
      pass_mark,
      repeats,
      repeat,
      following: _,
      ...typed
    }) => ({
      ...typed,
      ...{ course_id: course_id?.id, trainer_id: trainer_id?.id },
      ...{ venue_id: chosen(typed.venue, typed.room).venue?.id, room_id: chosen(typed.venue, typed.room).room?.id },
      ...{ maxDelegates: numberOf(maxDelegates), minDelegates: numberOf(minDelegates) },
      repeat: repeats && !session ? { every_weeks: Number(repeat.every_weeks), times: Number(repeat.times) } : null,
      joining_link: typed.virtual ? joining_link : '',
      pass_mark: typed.grading_method === 'score' ? numberOf(pass_mark) : null,
      external_trainer: typed.external_provider ? external_trainer : '',
    }),
    save: (data, _changed, { following }) => {
      const { course_id: _course, repeat: _repeat, ...changed } = data;
      return session
        ? call('PATCH /training-sessions/{id}', { params: { id: session.id }, body: { ...changed, following } })
        : call('POST /training-sessions', { body: data });
    },
    success,
    onSaved: ({ id }) => onSaved(id),
    locked: (field) => field === 'course_id' && session !== null && 'The course of a session stays. Cancel it and plan another one.',
    ...(session ? {} : { draft: 'training session' }),
  });
  const { venue, room, date, startTime, endTime, trainer_id, course_id } = fields.values;
  const names = (all: readonly { name: string }[] = []) => [...new Set(all.map((one) => one.name))];
  const setRoom = (to: string) => {
    fields.set('room', to);
    const { capacity } = chosen(venue, to).room ?? {};
    if (capacity !== undefined) fields.set('maxDelegates', capacity);
  };
  return (
    <Form form={fields} save={session ? 'Save' : 'Plan the session'}>
      {session && day && day !== session.date && (
        <p className={layout.notice} role="status">
          From {nearDay(session.date)} to {nearDay(day)}: nothing is changed until you save it. Those booked are told then, and asked whether they can
          come.
        </p>
      )}
      <FormSection title="What and who">
        <Picker from="courses" label="Training" description="Goes into the record of everybody who has done it." {...fields.field('course_id')} />
        <Checkbox label="Somebody from outside gives it" {...fields.checkbox('external_provider')} />
        {fields.values.external_provider && (
          <TextInput label="Who gives it" description="Their name and company." maxLength={200} {...fields.field('external_trainer')} />
        )}
        <Picker
          from="people"
          label={fields.values.external_provider ? 'Who takes the register' : 'Trainer'}
          description="They take the register, also without a connection."
          {...fields.field('trainer_id')}
        />
        <TrainerNotes
          trainer={trainer_id?.id}
          {...{ date, from: startTime, to: endTime, course: course_id?.id, room: chosen(venue, room).room?.id, session: session?.id }}
        />
        <Textarea label="Aim" autosize maxLength={1000} {...fields.field('aim')} />
        <Textarea
          label="Learning outcomes"
          description="What people can do after it."
          autosize
          maxLength={2000}
          {...fields.field('learningOutcomes')}
        />
        <Textarea
          label="Content covered"
          description="What is taught; add to it until the register is finished."
          autosize
          maxLength={2000}
          {...fields.field('contentCovered')}
        />
        <Select label="Completed by" allowDeselect={false} data={gradings} {...fields.field('grading_method')} />
        {fields.values.grading_method === 'score' && (
          <NumberInput
            label="Pass mark"
            description="Of 100. A lower score is kept on the register, and is not in the record."
            {...{ ...places, max: 100 }}
            {...fields.field('pass_mark')}
          />
        )}
      </FormSection>
      <FormSection title="When and where">
        <DateField label="Day" {...fields.field('date')} />
        <div className={form.pair}>
          <TimeField label="From" {...fields.field('startTime')} />
          <TimeField label="To" {...fields.field('endTime')} />
        </div>
        {session === null && (
          <RepeatFields
            {...{ date: fields.values.date, startTime: fields.values.startTime, values: fields.values }}
            checkbox={fields.checkbox('repeats')}
            part={fields.part}
          />
        )}
        {session?.series && session.series.no < session.series.of && (
          <Checkbox
            label="Change all that follow in its series as well"
            description={`This is number ${session.series.no} of ${session.series.of}. Where you move it, the others are moved by as many days.`}
            {...fields.checkbox('following')}
          />
        )}
        <Checkbox label="Virtual: people join it on a screen" {...fields.checkbox('virtual')} />
        {fields.values.virtual && (
          <TextInput
            label="Joining link"
            description="From your meeting software, beginning with https://. It can be added later."
            inputMode="url"
            autoComplete="off"
            {...fields.field('joining_link')}
          />
        )}
        <Autocomplete
          label="Venue"
          description={fields.values.virtual ? 'The name of the meeting software, for example Teams.' : 'Choose one of your venues, or type another.'}
          maxLength={200}
          data={names(venues)}
          {...fields.field('venue')}
        />
        <Autocomplete label="Room" maxLength={200} data={names(chosen(venue, room).venue?.rooms)} {...fields.field('room')} onChange={setRoom} />
        <Textarea
          label="What to bring"
          description="Bring or wear. Those booked are told with their place, and again the day before."
          autosize
          maxLength={1000}
          {...fields.field('bring')}
        />
        <TextInput label="Area" description="The part of the country, or the service, that it is for." maxLength={200} {...fields.field('area')} />
      </FormSection>
      <FormSection title="Places">
        <NumberInput
          label="Minimum number of delegates"
          description="Below it the session is at risk: you are told a week before. Leave it empty for none."
          {...places}
          {...fields.field('minDelegates')}
        />
        <NumberInput
          label="Maximum number of delegates"
          description="The capacity of the room, where you choose one of yours. Leave it empty for no limit."
          {...places}
          {...fields.field('maxDelegates')}
        />
        <Input.Wrapper label="Who can book it" size="md" labelElement="div">
          <Segmented
            size="md"
            mt={6}
            aria-label="Who can book it"
            {...fields.field('availableTo')}
            data={[
              { value: 'own', label: 'Your organisation' },
              { value: 'clients', label: 'Clients as well' },
            ]}
          />
        </Input.Wrapper>
      </FormSection>
    </Form>
  );
};
