import { Button, Group, Input, NumberInput, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { Compliance, RoleCourse } from '#contract/entities/compliance.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import classes from '#src/features/compliance/compliance.module.css';
import { countOf } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

const periods = ['renewal_months', 'expiry_warning', 'starter_period'] as const;
type Period = (typeof periods)[number];
const dialog = 'existing-results';

const Form = ({ course, rule, onSaved }: { course: RoleCourse; rule: Compliance; onSaved: () => void }) => {
  const brand = useBrand();
  const [type, setType] = useState(rule.type);
  const [typed, setTyped] = useState<Record<Period, string>>({
    renewal_months: String(rule.renewal_months ?? ''),
    expiry_warning: String(rule.expiry_warning ?? ''),
    starter_period: String(rule.starter_period ?? ''),
  });
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const numberOf = (p: Period) => (typed[p] === '' ? null : Number(typed[p]));
  const months = course.defaults.renewal_months ?? 0;
  const send = async (more: { update_previous_results?: boolean }) => {
    setBusy(true);
    const body = { type, ...Object.fromEntries(periods.map((p) => [p, numberOf(p)])), ...more };
    const result = await call('PATCH /compliance/{id}', { params: { id: rule.id }, body });
    setBusy(false);
    if (result.kind !== 'ok') {
      setErrors(fieldErrorsOf(result));
      return;
    }
    const existing = (result.meta as { existingResult?: number } | undefined)?.existingResult;
    if (existing) openModal(dialog, existing);
    else {
      notify('success', texts.complianceUpdated);
      onSaved();
    }
  };
  const field = (p: Period) => ({
    value: typed[p],
    error: errors[p],
    ...{ allowDecimal: false, allowNegative: false, hideControls: true },
    onChange: (to: string | number) => {
      setTyped((all) => ({ ...all, [p]: String(to) }));
      setErrors({});
    },
  });
  const decide = (update: boolean) => {
    closeModal(dialog);
    void send({ update_previous_results: update });
  };
  return (
    <form
      noValidate
      className={`app-card ${classes.form}`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void send({});
      }}
    >
      <ErrorSummary errors={errors} />
      <Input.Wrapper label="It is" size="md">
        <div>
          <Segmented
            size="md"
            mt={6}
            aria-label="It is"
            value={type}
            onChange={(to) => setType(to as Compliance['type'])}
            data={[
              { value: 'primary', label: brand.primaryComplianceAltName },
              { value: 'secondary', label: brand.secondaryComplianceAltName },
            ]}
          />
        </div>
      </Input.Wrapper>
      <NumberInput
        label="Valid for, in months"
        description={`0: it does not expire. Empty: as the course says, ${months === 0 ? 'indefinitely' : countOf(months, 'month')}.`}
        {...field('renewal_months')}
      />
      <NumberInput
        label="Warning before expiry, in days"
        description={`Empty: the organisation’s setting, ${countOf(course.defaults.expiry_warning, 'day')}.`}
        {...field('expiry_warning')}
      />
      <NumberInput
        label="Time for new starters, in days"
        description={`Empty: the organisation’s setting, ${countOf(course.defaults.starter_period, 'day')}.`}
        {...field('starter_period')}
      />
      <div className={classes.choice}>
        <Button type="submit" loading={busy}>
          Save
        </Button>
      </div>
      <RegisteredModal<number> name={dialog} title="Existing results">
        {(existing) => (
          <>
            <Text>
              {countOf(existing, 'result')} of this course {existing === 1 ? 'was' : 'were'} dated by the old rule. Should{' '}
              {existing === 1 ? 'it' : 'they'} be valid as long as new ones? That can change at once who is in date.
            </Text>
            <Group mt="lg" justify="flex-end">
              <Button variant="default" onClick={() => decide(false)}>
                Leave them as they are
              </Button>
              <Button onClick={() => decide(true)}>Recalculate their dates</Button>
            </Group>
          </>
        )}
      </RegisteredModal>
    </form>
  );
};

/** What a job role asks of one course: how long a result lasts, when it warns, how long new starters have. */
export const Component = () => {
  const { slug = '', role = '', course = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /compliance/role/{roleId}/course/{courseId}', { params: { roleId: role, courseId: course } });
  const back = pathTo('entities-one-role-by-role-courses', { slug, role });
  const here = state.kind === 'here' ? state.thing : null;
  return (
    <div className={layout.page}>
      <Link to={back} className={classes.back}>
        {here?.compliance?.role.name ?? 'Courses of the job role'}
      </Link>
      <Title order={1} className={layout.title}>
        {here?.title ?? 'Rule for a course'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the rule" offline="Changing a rule needs a connection." />
      {here && !here.compliance && <ErrorState message="This job role does not require this course." onRetry={retry} />}
      {here?.compliance && <Form key={here.compliance.id} course={here} rule={here.compliance} onSaved={() => void navigate(back)} />}
    </div>
  );
};
