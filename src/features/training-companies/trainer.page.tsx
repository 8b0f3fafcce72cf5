import '@mantine/core/styles/ActionIcon.css';
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { fewestAnswers } from '#contract/entities/evaluation.ts';
import { type Trainer, TrainerFields, weekdays } from '#contract/entities/trainer.ts';
import { dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/training-companies/training-companies.module.css';
import { countOf, formatDay } from '#src/lib/format.ts';
import { ConflictSection, useRevised } from '#src/screens/revised.tsx';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import { averageWords, Evaluated } from '#src/screens/evaluated.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { MultiPicker, type Option } from '#src/screens/pickers.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DateField, TimeField } from '#src/ui/date-field.tsx';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { IconClose } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

type Values = {
  home_base: string;
  course_ids: Option[];
  hours: { day: string; from: string; to: string }[];
  away: { from: string; to: string; reason: string }[];
};
const begin = ({ home_base, courses, hours, away }: Trainer): Values => ({
  ...{ home_base, course_ids: courses, away },
  hours: hours.map((h) => ({ ...h, day: String(h.day) })),
});
const toInput = ({ course_ids, hours, ...typed }: Values) => ({
  ...typed,
  course_ids: course_ids.map((c) => c.id),
  hours: hours.map((h) => ({ ...h, day: Number(h.day) })),
});

const hoursWords = (hours: Trainer['hours']) =>
  weekdays.flatMap((name, i) => {
    const times = hours.filter((h) => h.day === i + 1).map((h) => `${h.from} to ${h.to}`);
    return times.length > 0 ? [`${name} ${times.join(' and ')}`] : [];
  });
const awayWords = (away: Trainer['away']) => away.map((a) => `${dayWords(a.from)} to ${dayWords(a.to)}${a.reason ? ` (${a.reason})` : ''}`);
const sideOf = (names: readonly string[], { home_base, hours, away }: Pick<Trainer, 'home_base' | 'hours' | 'away'>) =>
  [
    `Home base: ${home_base || 'none'}`,
    `Competent for: ${names.join(', ') || 'any course'}`,
    `Works: ${hoursWords(hours).join(', ') || 'any time'}`,
    `Away: ${awayWords(away).join(', ') || 'never'}`,
  ].join('. ');

const TrainerForm = ({ revised, onSaved }: { revised: ReturnType<typeof useRevised<Trainer>>; onSaved: () => void }) => {
  const navigate = useNavigate();
  const { thing: trainer, conflict } = revised;
  const form = useForm({
    schema: TrainerFields,
    begin: () => begin(trainer),
    toInput,
    save: (data) => revised.save((rev) => call('PATCH /trainers/{trainer}', { params: { trainer: trainer.id }, body: { ...data, rev: rev ?? 0 } })),
    success: 'Saved.',
    onSaved,
    draft: { name: `trainer ${trainer.id}`, ...revised.draft },
  });
  const remove = useAction(() => call('DELETE /trainers/{trainer}', { params: { trainer: trainer.id } }), {
    success: `${trainer.name} is no longer a trainer.`,
    onDone: () => void navigate(pathTo('trainers')),
  });
  const { hours, away, course_ids } = form.values;
  const set = <K extends 'hours' | 'away'>(name: K, to: Values[K]) => form.set(name, to);
  const removing = (label: string, onClick: () => void) => (
    <ActionIcon size={44} variant="default" aria-label={label} onClick={onClick}>
      <IconClose size={20} />
    </ActionIcon>
  );
  return (
    <Form
      form={form}
      save={conflict ? false : 'Save'}
      beside={
        <Button variant="default" component={Link} to={pathTo('trainers')}>
          Back
        </Button>
      }
      more={
        <DeleteButton
          label="No longer a trainer …"
          sure="Yes"
          question={`Remove ${trainer.name} as a trainer? Past sessions keep their name.`}
          onDelete={() => void remove.run()}
        />
      }
    >
      {conflict && (
        <ConflictSection
          conflict={conflict}
          busy={form.busy}
          sides={{
            mine: sideOf(
              course_ids.map((c) => c.name),
              toInput(form.values),
            ),
            theirs: sideOf(
              conflict.theirs.courses.map((c) => c.name),
              conflict.theirs,
            ),
          }}
        />
      )}
      <FormSection title="What they train in">
        <MultiPicker
          from="courses"
          label="Competent for"
          description="Planning another course with them shows a warning. Nothing chosen means any course."
          {...form.field('course_ids')}
        />
        <TextInput label="Home base" description="Where they start from, for example Leeds LS6." maxLength={200} {...form.field('home_base')} />
      </FormSection>
      <FormSection title="When they work">
        <p className={layout.count}>{hours.length === 0 ? 'Any time. Add lines to be warned of sessions at other times.' : 'Every week.'}</p>
        {hours.length > 0 && (
          <ul className={`${layout.list} ${classes.lines}`}>
            {hours.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position in the form
              <li key={i}>
                <NativeSelect
                  label={`Day ${i + 1}`}
                  data={weekdays.map((label, day) => ({ value: String(day + 1), label }))}
                  {...form.part(`hours.${i}.day`)}
                />
                <TimeField label="From" {...form.part(`hours.${i}.from`)} />
                <TimeField label="To" {...form.part(`hours.${i}.to`)} />
                {removing(`Remove day ${i + 1}`, () =>
                  set(
                    'hours',
                    hours.filter((h) => h !== line),
                  ),
                )}
              </li>
            ))}
          </ul>
        )}
        <Button
          variant="default"
          onClick={() => set('hours', [...hours, { day: String(Math.min(Number(hours.at(-1)?.day ?? 0) + 1, 7)), from: '09:00', to: '17:00' }])}
        >
          Add a day
        </Button>
      </FormSection>
      <FormSection title="Days away" wide>
        <p className={layout.count}>
          {away.length === 0 ? 'None noted. Holidays and other days on which they give no sessions.' : 'The last day included.'}
        </p>
        {away.length > 0 && (
          <ul className={`${layout.list} ${classes.lines}`}>
            {away.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position in the form
              <li key={i}>
                <TextInput label={`Reason ${i + 1}`} maxLength={200} {...form.part(`away.${i}.reason`)} />
                <DateField label="First day" {...form.part(`away.${i}.from`)} />
                <DateField label="Last day" {...form.part(`away.${i}.to`)} />
                {removing(`Remove days away ${i + 1}`, () =>
                  set(
                    'away',
                    away.filter((a) => a !== line),
                  ),
                )}
              </li>
            ))}
          </ul>
        )}
        <Button variant="default" onClick={() => set('away', [...away, { from: '', to: '', reason: '' }])}>
          Add days away
        </Button>
      </FormSection>
    </Form>
  );
};

const Whole = ({ read, onSaved }: { read: Trainer; onSaved: () => void }) => {
  const revised = useRevised(read);
  const mayWrite = can(useSession(), 'trainer.create');
  const { thing } = revised;
  return (
    <DetailPage
      title={thing.name}
      about={[thing.place, `${countOf(thing.coming, 'session')} to come`, thing.next && `next on ${formatDay(thing.next)}`]}
    >
      {mayWrite ? (
        <TrainerForm key={revised.round} revised={revised} onSaved={onSaved} />
      ) : (
        <Facts
          title="Planning"
          facts={[
            ['Competent for', thing.courses.map((c) => c.name).join(', ') || 'Any course'],
            ['Home base', thing.home_base],
            ['Works', hoursWords(thing.hours).join(', ') || 'Any time'],
            ['Away', awayWords(thing.away).join(', ')],
          ]}
        />
      )}
      <HowItWas trainer={thing} />
    </DetailPage>
  );
};

/** The evaluations of a trainer's sessions, for them and for the office. */
const HowItWas = ({ trainer }: { trainer: Trainer }) => {
  const user = useSession();
  return user?.uuid === trainer.id || can(user, ['booking.create', 'booking.manage', 'booking.update', 'trainer.create']) ? (
    <FoundTraining id={trainer.id} />
  ) : null;
};
const FoundTraining = ({ id }: { id: string }) => {
  const { state, retry } = useRead('GET /trainers/{trainer}/evaluation', { params: { trainer: id } });
  if (state.kind !== 'loaded')
    return <ReadPlaceholder state={state} retry={retry} loading="Loading how it was" offline="How people found the training needs a connection." />;
  const { courses } = state.data;
  return (
    <Section title="How people found their training">
      {state.data.asked === 0 ? (
        <p style={{ margin: 0 }}>No register of theirs is finished yet. The people who were there are asked then.</p>
      ) : (
        <Evaluated evaluated={state.data} />
      )}
      {courses.length > 0 && (
        <ul className={layout.list} aria-label="By course">
          {courses.map((c) => (
            <li key={c.id}>
              <strong>{c.name}</strong>
              <small className={layout.soft}>
                {c.answered} of {c.asked} answered ·{' '}
                {c.answered < fewestAnswers ? 'Too few answers to show' : `Course ${averageWords(c.course)}, trainer ${averageWords(c.trainer)}`}
              </small>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

/** One trainer: competence, working hours and days away. */
export const Component = () => {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /trainers/{trainer}', { params: { trainer: id } });
  return (
    <>
      <ReadPlaceholder order={1} state={state} retry={retry} loading="Loading the trainer" offline="This page needs a connection." />
      {state.kind === 'loaded' && <Whole key={state.data.id} read={state.data} onSaved={() => void navigate(pathTo('trainers'))} />}
    </>
  );
};
