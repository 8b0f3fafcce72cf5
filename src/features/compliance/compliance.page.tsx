import { Button, Group, Input, NumberInput, Select, Text, Title } from '@mantine/core';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { BodyInput } from '#contract/api/endpoint.ts';
import { updateCompliance } from '#contract/api/compliance.ts';
import type { Compliance, RoleCourse } from '#contract/entities/compliance.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/compliance/compliance.module.css';
import { DayOfYear } from '#src/features/compliance/day-of-year.tsx';
import { RuleEffect } from '#src/features/compliance/rule-effect.tsx';
import { renewalWords } from '#src/features/compliance/rule-words.ts';
import { countOf } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

const dialog = 'existing-results';
const asTheCourse = 'course';
type RuleValues = { type: Compliance['type']; renewal_kind: string; renewal_on: string } & Record<
  'renewal_months' | 'expiry_warning' | 'starter_period' | 'renewal_window',
  string | number
>;
const number = (typed: string | number) => (typed === '' ? null : Number(typed));
const whole = { allowDecimal: false, allowNegative: false, hideControls: true };

/** The rule that the fields of the form say. What a kind of renewal does not use is not sent. */
const ruleOf = (values: RuleValues) => {
  const renewal_kind = values.renewal_kind === asTheCourse ? null : (values.renewal_kind as Compliance['renewal_kind']);
  const { type, renewal_months, expiry_warning, starter_period, renewal_window, renewal_on } = values;
  return {
    ...{ type, renewal_months: number(renewal_months), expiry_warning: number(expiry_warning), starter_period: number(starter_period) },
    ...{ renewal_kind, renewal_window: renewal_kind === 'window' || renewal_kind === 'fixed' ? (number(renewal_window) ?? 0) : null },
    renewal_on: renewal_kind === 'fixed' && renewal_on.length > 1 ? renewal_on : null,
  };
};

const RuleForm = ({ course, rule, onSaved }: { course: RoleCourse; rule: Compliance; onSaved: () => void }) => {
  const brand = useBrand();
  const change = (body: BodyInput<typeof updateCompliance>) => call('PATCH /compliance/{id}', { params: { id: rule.id }, body });
  const done = () => {
    notify('success', texts.complianceUpdated);
    onSaved();
  };
  const fields = useForm({
    schema: updateCompliance.body,
    begin: {
      type: rule.type,
      renewal_months: (rule.renewal_months ?? '') as string | number,
      expiry_warning: (rule.expiry_warning ?? '') as string | number,
      starter_period: (rule.starter_period ?? '') as string | number,
      renewal_kind: rule.renewal_kind ?? asTheCourse,
      renewal_window: (rule.renewal_window ?? '') as string | number,
      renewal_on: rule.renewal_on ?? '',
    },
    toInput: ruleOf,
    save: async (body) => {
      const result = await change(body);
      return result.kind === 'ok' ? { kind: 'ok', data: (result.meta as { existingResult?: number } | undefined)?.existingResult ?? 0 } : result;
    },
    onSaved: (existing) => {
      fields.restart(fields.values);
      if (existing > 0) openModal(dialog, existing);
      else done();
    },
  });
  const recalculation = useAction(() => change({ update_previous_results: true }), { onDone: done });
  const decide = (update: boolean) => {
    closeModal(dialog);
    if (update) void recalculation.run();
    else done();
  };
  const months = course.defaults.renewal_months ?? 0;
  const { field } = fields;
  const kind = fields.values.renewal_kind;
  const at = { role_id: rule.role_id, course_id: rule.course_id };
  return (
    <Form form={{ ...fields, busy: fields.busy || recalculation.busy }}>
      <FormSection>
        <Input.Wrapper label="It is" size="md">
          <div>
            <Segmented
              size="md"
              mt={6}
              aria-label="It is"
              {...field('type')}
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
          {...whole}
          {...field('renewal_months')}
        />
        <Select
          label="Renewed"
          allowDeselect={false}
          data={[
            { value: asTheCourse, label: `As the course says: ${renewalWords(course.defaults)}` },
            { value: 'rolling', label: renewalWords({ renewal_kind: 'rolling' }) },
            { value: 'window', label: renewalWords({ renewal_kind: 'window' }) },
            { value: 'fixed', label: renewalWords({ renewal_kind: 'fixed' }) },
          ]}
          {...field('renewal_kind')}
        />
        {kind === 'fixed' && <DayOfYear label="Valid until this day, whoever you are" {...field('renewal_on')} />}
        {(kind === 'fixed' || kind === 'window') && (
          <NumberInput
            label={kind === 'fixed' ? 'Early completions, in days before that day' : 'Days before the end in which the old date is kept'}
            description={
              kind === 'fixed'
                ? 'Who completes the course so many days before that day, or later, is valid until the one after it.'
                : 'Who renews earlier than that starts a new period on that day.'
            }
            {...whole}
            {...field('renewal_window')}
          />
        )}
        <NumberInput
          label="Warning before expiry, in days"
          description={`Empty: the organisation’s setting, ${countOf(course.defaults.expiry_warning, 'day')}.`}
          {...whole}
          {...field('expiry_warning')}
        />
        <NumberInput
          label="Time for new starters, in days"
          description={`Empty: the organisation’s setting, ${countOf(course.defaults.starter_period, 'day')}.`}
          {...whole}
          {...field('starter_period')}
        />
        {fields.dirty && <RuleEffect change={{ ...at, rule: { ...ruleOf(fields.values), update_previous_results: false } }} />}
      </FormSection>
      <RegisteredModal<number> name={dialog} title="Existing results">
        {(existing) => (
          <>
            <Text>
              {countOf(existing, 'result')} of this course {existing === 1 ? 'was' : 'were'} dated by the old rule. Should{' '}
              {existing === 1 ? 'it' : 'they'} be valid as long as new ones? That can change at once who is in date.
            </Text>
            <RuleEffect lead="If you recalculate" change={{ ...at, rule: { ...ruleOf(fields.values), update_previous_results: true } }} />
            <Group mt="lg" justify="flex-end">
              <Button variant="default" onClick={() => decide(false)}>
                Leave them as they are
              </Button>
              <Button onClick={() => decide(true)}>Recalculate their dates</Button>
            </Group>
          </>
        )}
      </RegisteredModal>
    </Form>
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
      {here?.compliance && <RuleForm key={here.compliance.id} course={here} rule={here.compliance} onSaved={() => void navigate(back)} />}
    </div>
  );
};
