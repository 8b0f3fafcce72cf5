import { Button, Checkbox, TextInput, Title } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { noteCompetence } from '#contract/api/care-overview.ts';
import type { Competence } from '#contract/entities/care-certificate.ts';
import { type CareStandards, currentStandards } from '#contract/entities/care-standards.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { usePlaceBelow } from '#src/lib/placed-below.ts';

const load = async (uuid: string) => {
  const [person, noted, standards] = await Promise.all([
    call('GET /users/{id}', { params: { id: uuid } }),
    call('GET /users/{id}/competence', { params: { id: uuid } }),
    call('GET /care-standards/{id}', { params: { id: currentStandards } }),
  ]);
  if (person.kind !== 'ok') return person;
  if (noted.kind !== 'ok') return noted;
  if (standards.kind !== 'ok') return standards;
  return { kind: 'ok' as const, data: { person: person.data, noted: noted.data, standards: standards.data } };
};

type FormProps = { uuid: string; name: string; noted: Competence[]; standards: CareStandards };
const CompetenceForm = ({ uuid, name, noted, standards }: FormProps) => {
  const fields = useForm({
    schema: noteCompetence.body,
    // Nothing recorded means every standard: an explicit option, not just the absence of ticks.
    begin: { anything: noted.length === 0, competence: noted.map((n) => ({ ...n, until: n.until ?? '' })) },
    toInput: ({ anything, competence }) => ({
      anything,
      competence: anything ? [] : competence.map((c) => ({ ...c, until: c.until || null })),
    }),
    save: (body) => call('POST /users/{id}/competence', { params: { id: uuid }, body }),
    success: 'Saved. It takes effect on a device when a certificate is next opened there.',
    onSaved: () => fields.restart(fields.values),
    draft: `competence ${uuid}`,
  });
  const { anything, competence } = fields.values;
  const choose = (standard: string, on: boolean) =>
    fields.set('competence', on ? [...competence, { standard, basis: '', until: '' }] : competence.filter((c) => c.standard !== standard));
  return (
    <Form
      form={fields}
      beside={
        <Button variant="default" component={Link} to={pathTo('users-by-uuid', { uuid })}>
          Back
        </Button>
      }
    >
      <p className={layout.count} data-wide>
        {anything
          ? `${name} may assess every standard, if their permissions let them assess.`
          : `${name} decides on ${competence.length} of ${standards.standards.length} standards; on the others they may record what they saw, and somebody else decides.`}
      </p>
      <Segmented
        data-wide
        aria-label="Which standards"
        size="md"
        value={anything ? 'every' : 'chosen'}
        onChange={(to) => fields.set('anything', to === 'every')}
        data={[
          { value: 'every', label: 'Every standard' },
          { value: 'chosen', label: 'Only those chosen' },
        ]}
      />
      {!anything && (
        <FormSection title="Competent to assess" wide data-field="competence">
          <ul className={layout.list}>
            {standards.standards.map(({ code, title }) => {
              const chosenIndex = competence.findIndex((c) => c.standard === code);
              return (
                <li key={code} className={classes.choice}>
                  <Checkbox size="lg" label={`${code} ${title}`} checked={chosenIndex >= 0} onChange={(e) => choose(code, e.currentTarget.checked)} />
                  {chosenIndex >= 0 && (
                    <div className={form.pair}>
                      <TextInput
                        label={`What makes them competent, for ${code}`}
                        description="For example, registered nurse; level 3 in adult care."
                        maxLength={500}
                        {...fields.part(`competence.${chosenIndex}.basis`)}
                      />
                      <DateField
                        label={`Until, for ${code}`}
                        description="Leave it empty if it has no end."
                        {...fields.part(`competence.${chosenIndex}.until`)}
                      />
                    </div>
                  )}
                </li>
              );
            })}
          </ul>
        </FormSection>
      )}
    </Form>
  );
};

/** The standards in which somebody may decide on others’ care certificates. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const me = useSession();
  const { state, retry } = useReadOf(['competence', uuid], () => load(uuid));
  const data = state.kind === 'loaded' ? state.data : null;
  usePlaceBelow(pathTo('users-by-uuid-competence', { uuid }), { path: pathTo('users-by-uuid', { uuid }), name: data?.person.name ?? 'Person' });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {data ? `What ${data.person.name} may assess` : 'Competence to assess'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading" offline="Competence to assess needs a connection." />
      {data && uuid === me?.uuid && <p className={layout.count}>You cannot record your own competence. Ask a colleague.</p>}
      {data && uuid !== me?.uuid && <CompetenceForm uuid={uuid} name={data.person.name} noted={data.noted} standards={data.standards} />}
    </div>
  );
};
