import { Button, Input, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { enteredTypes, NewResults, type ResultProblem } from '#contract/entities/result.ts';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { ResultFields } from '#src/features/results/result-fields.tsx';
import { type EnteredType, inputOf, newValues } from '#src/features/results/result-values.ts';
import { countOf } from '#src/lib/format.ts';
import { resultWords } from '#src/lib/result-words.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { MultiPicker, type Option } from '#src/screens/pickers.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { type Answer, useReadOf } from '#src/screens/use-read.ts';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';
import { Segmented } from '#src/ui/segmented.tsx';

type Chosen = { people: Option[]; courses: Option[] };
type Outcome = { ids: string[]; problems: ResultProblem[] };

/** The most ids that fit into an address. */
const atOnce = 50;
/** Loads the things with these ids that the user may see, in batches that fit into an address. */
const named = async <R,>(
  ids: readonly string[],
  load: (ids: string) => Promise<Answer<R[]>>,
  option: (row: R) => Option,
): Promise<Answer<Option[]>> => {
  const found: Option[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const answer = await load(ids.slice(from, from + atOnce).join(','));
    if (answer.kind !== 'ok') return answer;
    found.push(...answer.data.map(option));
  }
  return { kind: 'ok', data: found };
};
const load = async (people: readonly string[], courses: readonly string[], signal: AbortSignal): Promise<Answer<Chosen>> => {
  const answers = await Promise.all([
    named(
      people,
      (ids) => call('GET /users', { query: { ids, per_page: atOnce } }, { signal }),
      (u) => ({ id: u.uuid, name: u.name, where: u.primary_entity.name }),
    ),
    named(
      courses,
      (ids) => call('GET /courses', { query: { ids, per_page: atOnce } }, { signal }),
      (c) => ({ id: c.id, name: c.title }),
    ),
  ]);
  const [who, what] = answers;
  return who.kind !== 'ok' ? who : what.kind !== 'ok' ? what : { kind: 'ok', data: { people: who.data, courses: what.data } };
};

const lineOf = ({ user, course, problem }: ResultProblem) => `${user.name}, ${course.title}: ${problem}`;

const CreateForm = ({ begin: [exempt, { people, courses }], onSaved }: { begin: [boolean, Chosen]; onSaved: (outcome: Outcome) => void }) => {
  /** The same input is sent with the same id, so that it is never recorded twice; changed input gets a new id. */
  const sent = useRef<{ content: string; id: string } | null>(null);
  const fields = useForm({
    schema: NewResults,
    begin: () => newValues(exempt ? 'exempt' : 'historical', people, courses),
    toInput: inputOf,
    save: async ({ id, ...content }) => {
      const text = JSON.stringify(content);
      sent.current =
        sent.current === null ? { content: text, id } : sent.current.content === text ? sent.current : { content: text, id: crypto.randomUUID() };
      const result = await call('POST /results', { body: { ...content, id: sent.current.id } });
      return result.kind === 'ok' && result.data.ids.length === 0
        ? { kind: 'failed', errors: { whole: `Nothing was recorded. ${result.data.problems.map(lineOf).join(' ')}` } }
        : result;
    },
    onSaved,
    draft: exempt ? 'exemption' : 'training from elsewhere',
  });
  const { field, busy } = fields;
  const me = useSession();
  const { entityAltName } = useBrand();
  return (
    <Form form={fields} save="Record">
      <FormSection title={exempt ? 'Who is exempt from what' : 'Who completed what'} disabled={busy}>
        <MultiPicker from="people" label="People" {...field('user_ids')} />
        {!exempt && can(me, needOf('users-bulk-add-events')) && (
          <Link className={shapes.link} to={pathTo('users-bulk-add-events')}>
            Record group training: one event, also for everybody of a {entityAltName.toLowerCase()}
          </Link>
        )}
        <MultiPicker from="courses" label="Courses" {...field('course_ids')} />
        {!exempt && (
          <Input.Wrapper label="How it was completed" size="md" labelElement="div">
            <Segmented
              size="md"
              mt={6}
              aria-label="How it was completed"
              {...field('type')}
              data={enteredTypes.flatMap((value: EnteredType) => (value === 'exempt' ? [] : { value, label: resultWords.types[value] }))}
            />
          </Input.Wrapper>
        )}
      </FormSection>
      <ResultFields form={fields} exempt={exempt} evidence={null} />
    </Form>
  );
};

const Recorded = ({ outcome: { ids, problems }, exempt, onAnother }: { outcome: Outcome; exempt: boolean; onAnother: () => void }) => (
  <>
    <p className={layout.notice} data-tone={problems.length > 0 ? 'warning' : 'ok'} role="status">
      Recorded {countOf(ids.length, exempt ? 'exemption' : 'result')}.
      {problems.length > 0 ? ` ${countOf(problems.length, 'other')} could not be recorded.` : ''}
    </p>
    {problems.length > 0 && (
      <Section title="Not recorded">
        <ul className={form.lines}>
          {problems.map((p) => (
            <li key={`${p.user.id} ${p.course.id}`} style={{ display: 'block' }}>
              <Link to={pathTo('users-by-uuid', { uuid: p.user.id })}>{p.user.name}</Link>, {p.course.title}: {p.problem}
            </li>
          ))}
        </ul>
      </Section>
    )}
    <div className={layout.tools}>
      <Button onClick={onAnother}>{exempt ? 'Record another exemption' : 'Record more'}</Button>
      {exempt && (
        <Button variant="default" component={Link} to={pathTo('results-exempt')}>
          All exemptions
        </Button>
      )}
    </div>
  </>
);

/** Records training from elsewhere, or exemptions, for people and courses; those in the address are preselected. */
const CreateResult = ({ exempt }: { exempt: boolean }) => {
  const [query, setQuery] = useSearchParams();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const idsOf = (name: string) => [...new Set((query.get(name) ?? '').split(',').filter(Boolean))];
  const [people, courses] = [idsOf('people'), idsOf('courses')];
  const { state, retry } = useReadOf(['chosen for results', people, courses], (signal) => load(people, courses, signal));
  if (state.kind !== 'loaded')
    return <ReadPlaceholder order={1} state={state} retry={retry} loading="Loading the form" offline="Recording training needs a connection." />;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {exempt ? 'Add an exemption' : 'Record training'}
      </Title>
      {outcome ? (
        <Recorded
          outcome={outcome}
          exempt={exempt}
          onAnother={() => {
            setOutcome(null);
            setQuery({}, { replace: true });
          }}
        />
      ) : (
        <CreateForm begin={[exempt, state.data]} onSaved={setOutcome} />
      )}
    </div>
  );
};

export const Training = () => <CreateResult exempt={false} />;
export const Exemption = () => <CreateResult exempt />;
