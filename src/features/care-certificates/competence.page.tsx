import { Button, Checkbox, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { Competence } from '#contract/entities/care-certificate.ts';
import { type CareStandards, currentStandards } from '#contract/entities/care-standards.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import { dayTyped } from '#src/lib/day-text.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Row = { on: boolean; basis: string; until: string };

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
  const [rows, setRows] = useState<Record<string, Row>>(() =>
    Object.fromEntries(noted.map((n) => [n.standard, { on: true, basis: n.basis, until: n.until ?? '' }])),
  );
  // Nothing noted means everything: that is chosen, and not what is left when no box is ticked.
  const [anything, setAnything] = useState(noted.length === 0);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const rowOf = (code: string): Row => rows[code] ?? { on: false, basis: '', until: '' };
  const change = (code: string, to: Partial<Row>) => {
    setRows({ ...rows, [code]: { ...rowOf(code), ...to } });
    setErrors({});
  };
  const chosen = anything ? [] : standards.standards.filter((s) => rowOf(s.code).on);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = {
      ...Object.fromEntries(chosen.flatMap((s) => (rowOf(s.code).basis.trim() === '' ? [[s.code, 'Say what makes them competent.']] : []))),
      ...Object.fromEntries(
        chosen.flatMap((s) =>
          rowOf(s.code).until && !dayTyped(rowOf(s.code).until) ? [[`until.${s.code}`, 'Enter a date such as 21/11/2026.']] : [],
        ),
      ),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0 || busy) return;
    if (!anything && chosen.length === 0)
      return setErrors({
        whole: 'Choose the standards they may assess. If they may assess none, remove their permission to record observations instead.',
      });
    setBusy(true);
    const competence = chosen.map((s) => ({ standard: s.code, basis: rowOf(s.code).basis.trim(), until: rowOf(s.code).until || null }));
    const result = await call('POST /users/{id}/competence', { params: { id: uuid }, body: { competence, anything } });
    setBusy(false);
    if (result.kind !== 'ok') return setErrors({ whole: Object.values(fieldErrorsOf(result))[0] });
    notify('success', 'Saved. It takes effect on a device when a certificate is next opened there.');
  };
  return (
    <Form
      form={{ errors, busy, submit: (event) => void submit(event) }}
      beside={
        <Button variant="default" component={Link} to={pathTo('users-by-uuid', { uuid })}>
          Back
        </Button>
      }
    >
      <p className={layout.count} data-wide>
        {anything
          ? `${name} may assess every standard.`
          : `${name} decides on ${chosen.length} of ${standards.standards.length} standards; on the others they may record what they saw, and somebody else decides.`}
      </p>
      <Segmented
        data-wide
        aria-label="Which standards"
        size="md"
        value={anything ? 'every' : 'chosen'}
        onChange={(to) => {
          setAnything(to === 'every');
          setErrors({});
        }}
        data={[
          { value: 'every', label: 'Every standard' },
          { value: 'chosen', label: 'Only those chosen' },
        ]}
      />
      {!anything && (
        <FormSection title="Competent to assess" wide>
          <ul className={layout.list}>
            {standards.standards.map(({ code, title }) => {
              const row = rowOf(code);
              return (
                <li key={code} className={classes.choice}>
                  <Checkbox size="lg" label={`${code} ${title}`} checked={row.on} onChange={(e) => change(code, { on: e.currentTarget.checked })} />
                  {row.on && (
                    <div className={form.pair}>
                      <TextInput
                        label={`What makes them competent, for ${code}`}
                        description="For example, registered nurse; level 3 in adult care."
                        name={code}
                        maxLength={500}
                        value={row.basis}
                        error={errors[code]}
                        onChange={(e) => change(code, { basis: e.currentTarget.value })}
                      />
                      <DateField
                        label={`Until, for ${code}`}
                        description="Leave it empty if it has no end."
                        data-field={`until.${code}`}
                        value={row.until}
                        error={errors[`until.${code}`]}
                        onChange={(until) => change(code, { until })}
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

/** In which standards somebody may decide on others’ care certificates. */
export const Component = () => {
  const { uuid = '' } = useParams();
  const me = useSession();
  const { state, retry } = useReadOf(['competence', uuid], () => load(uuid));
  const here = state.kind === 'here' ? state.thing : null;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {here ? `What ${here.person.name} may assess` : 'Competence to assess'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading" offline="Competence to assess needs a connection." />
      {here && uuid === me?.uuid && <p className={layout.count}>You cannot record your own competence. Ask a colleague.</p>}
      {here && uuid !== me?.uuid && <CompetenceForm uuid={uuid} name={here.person.name} noted={here.noted} standards={here.standards} />}
    </div>
  );
};
