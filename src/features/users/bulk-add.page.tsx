import { Button, Progress, Textarea, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type BulkPerson, bulkLimits, bulkTypes, type Evidence } from '#contract/entities/bulk-event.ts';
import { recordBulkEvent } from '#contract/api/bulk-events.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { EvidenceChoice } from '#src/screens/evidence-choice.tsx';
import { bulkTypeWords } from '#src/features/users/bulk-words.ts';
import classes from '#src/features/users/users.module.css';
import { countOf, dayOf } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { type Option, Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { correctedNow } from '#src/offline/clock.ts';
import { Segmented } from '#src/ui/segmented.tsx';

type Person = { id: string; name: string; where: string };

const today = () => dayOf(correctedNow());
const pageSize = 100;

/** Loads everybody at an organisation, page by page. Returns an error message if that fails. */
const everybodyAt = async (slug: string): Promise<Person[] | string> => {
  const people: Person[] = [];
  for (let page = 1; ; page++) {
    const result = await call('GET /users', { query: { entity: slug, state: 'active', per_page: pageSize, page } });
    if (result.kind !== 'ok') return sentenceOf(result);
    people.push(...result.data.map((u) => ({ id: u.uuid, name: u.name, where: u.primary_entity.name })));
    if (result.data.length < pageSize) return people;
    if (people.length > bulkLimits.people)
      return `There are more than ${bulkLimits.people.toLocaleString('en-GB')} people. Choose one with fewer people.`;
  }
};

/** The outcome by row: failures first. */
const Outcome = ({ people }: { people: readonly BulkPerson[] }) => {
  const refused = people.filter((p) => p.problem);
  return (
    <>
      <p className={layout.notice} data-tone={refused.length > 0 ? 'warning' : 'ok'} role="status">
        Recorded for {countOf(people.length - refused.length, 'person', 'people')}.
        {refused.length > 0 ? ` ${countOf(refused.length, 'person', 'people')} could not be recorded.` : ''}
      </p>
      {refused.length > 0 && (
        <ul className={`app-card ${layout.block} ${layout.lines} ${classes.must}`} aria-label="Not recorded">
          {refused.map((p) => (
            <li key={p.id}>
              <div>
                <strong>{p.name}</strong>
                <small>{p.problem}</small>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/** Records one completed event for many people, such as a morning of classroom training. */
export const Component = () => {
  const user = useSession();
  const brand = useBrand();
  // Once a batch was received, the event is fixed; the rest is sent for the same one.
  const [begun, setBegun] = useState(false);
  const [sent, setSent] = useState(0);
  const [outcome, setOutcome] = useState<readonly BulkPerson[] | null>(null);
  const fields = useForm({
    schema: recordBulkEvent.body,
    begin: () => ({
      id: crypto.randomUUID() as string,
      course_id: null as Option | null,
      type: 'face2face' as (typeof bulkTypes)[number],
      completed_on: today(),
      note: '',
      evidence_id: null as Evidence | null,
      user_ids: [] as readonly Person[],
    }),
    toInput: ({ course_id, evidence_id, user_ids, ...typed }) => ({
      ...{ ...typed, course_id: course_id?.id, evidence_id: evidence_id?.id ?? null },
      user_ids: user_ids.slice(0, bulkLimits.atOnce).map((p) => p.id),
    }),
    // In batches: received ones are kept, and sending one again records nobody twice.
    save: async (body, _changed, { user_ids }) => {
      for (let from = 0; ; from += bulkLimits.atOnce) {
        setSent(from);
        const part = user_ids.slice(from, from + bulkLimits.atOnce).map((p) => p.id);
        const result = await call('POST /users/bulk-add-events', { body: { ...body, user_ids: part } });
        if (result.kind !== 'ok' || from + bulkLimits.atOnce >= user_ids.length) return result;
        setBegun(true);
      }
    },
    onSaved: (result) => setOutcome(result.people),
  });
  const { field, set, busy } = fields;
  const people = fields.values.user_ids;
  const add = (more: readonly Person[]) => set('user_ids', (all) => [...all, ...more.filter((m) => !all.some((p) => p.id === m.id))]);
  const addPlace = async (slug: string) => {
    const found = await everybodyAt(slug);
    if (typeof found === 'string') notify('error', found);
    else add(found);
  };
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Record group training
        </Title>
        <Button variant="default" component={Link} to={pathTo('users-bulk-add-events-history')}>
          History
        </Button>
      </div>
      {outcome ? (
        <Outcome people={outcome} />
      ) : (
        <Form form={fields} save="Record" note="What was sent is kept; press Record to send the rest.">
          <FormSection title="What was completed" disabled={busy || begun}>
            <Picker from="courses" label="Course" {...field('course_id')} />
            <Segmented
              aria-label="How it was completed"
              fullWidth
              data={bulkTypes.map((value) => ({ value, label: bulkTypeWords[value] }))}
              {...field('type')}
            />
            <DateField label="On" {...field('completed_on')} />
            <Textarea label="Note" description="For example, where it took place and who taught it." autosize maxLength={500} {...field('note')} />
          </FormSection>
          <FormSection title="Evidence" disabled={busy}>
            <EvidenceChoice {...field('evidence_id')} />
          </FormSection>
          <FormSection title="Who took part" disabled={busy}>
            <div className={form.pair}>
              <Picker
                from="people"
                key={`person-${people.length}`}
                label="Add a person"
                except={people.map((p) => p.id)}
                {...field('user_ids')}
                value={null}
                onChange={(p) => p && add([{ id: p.id, name: p.name, where: p.where ?? '' }])}
              />
              {can(user, 'entity.search') && (
                <Picker
                  from="organisations"
                  key={`place-${people.length}`}
                  label={`Add everybody of: ${brand.entityAltName}`}
                  value={null}
                  onChange={(place) => place?.slug && void addPlace(place.slug)}
                />
              )}
            </div>
            {people.length > 0 && (
              <>
                <p className={layout.count} role="status">
                  {countOf(people.length, 'person', 'people')}
                </p>
                <ul className={`${layout.lines} ${classes.must} ${classes.chosen}`} aria-label="Chosen">
                  {people.map((p) => (
                    <li key={p.id}>
                      <div>
                        <strong>{p.name}</strong>
                        <small>{p.where}</small>
                      </div>
                      <Button
                        variant="subtle"
                        color="gray"
                        onClick={() =>
                          set(
                            'user_ids',
                            people.filter((o) => o.id !== p.id),
                          )
                        }
                        aria-label={`Remove ${p.name}`}
                      >
                        Remove
                      </Button>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </FormSection>
          {busy && <Progress value={(100 * sent) / people.length} aria-label={`${sent} of ${people.length} people are recorded`} />}
        </Form>
      )}
    </div>
  );
};
