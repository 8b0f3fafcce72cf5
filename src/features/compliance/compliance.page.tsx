import { Input, NumberInput, Title } from '@mantine/core';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import type { BodyInput } from '#contract/api/endpoint.ts';
import { type previewCompliance, updateCompliance } from '#contract/api/compliance.ts';
import type { Compliance, RoleCourse } from '#contract/entities/compliance.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import { askAboutResults, ExistingResults, type ResultsSaid, sayResultsAreDated } from '#src/features/compliance/existing-results.tsx';
import { asTheCourse, numberOf, RenewalFields, type RenewalValues, renewalOf, whole } from '#src/features/compliance/renewal-fields.tsx';
import { RuleEffect } from '#src/features/compliance/rule-effect.tsx';
import { renewalWords, takenAway } from '#src/features/compliance/rule-words.ts';
import { countOf } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { usePlaceBelow } from '#src/lib/placed-below.ts';

type RuleValues = RenewalValues & { type: Compliance['type']; required_from: string; required_until: string } & Record<
    'renewal_months' | 'expiry_warning' | 'starter_period',
    string | number
  >;

const begin = (rule: Compliance): RuleValues => ({
  type: rule.type,
  renewal_months: (rule.renewal_months ?? '') as string | number,
  expiry_warning: (rule.expiry_warning ?? '') as string | number,
  starter_period: (rule.starter_period ?? '') as string | number,
  renewal_kind: (rule.renewal_kind ?? asTheCourse) as string,
  renewal_window: (rule.renewal_window ?? '') as string | number,
  renewal_on: rule.renewal_on ?? '',
  required_from: rule.required_from ?? '',
  required_until: rule.required_until ?? '',
});
/** The rule in the form's fields. */
const ruleOf = (values: RuleValues) => {
  const { type, renewal_months, expiry_warning, starter_period, required_from, required_until } = values;
  return {
    ...{ type, renewal_months: numberOf(renewal_months), expiry_warning: numberOf(expiry_warning), starter_period: numberOf(starter_period) },
    ...renewalOf(values),
    ...{ required_from: required_from || null, required_until: required_until || null },
  };
};
const preview = (body: BodyInput<typeof previewCompliance>, signal: AbortSignal) => call('POST /compliance/preview', { body }, { signal });

const RuleForm = ({ course, rule, onSaved }: { course: RoleCourse; rule: Compliance; onSaved: () => void }) => {
  const brand = useBrand();
  const change = (body: BodyInput<typeof updateCompliance>) => call('PATCH /compliance/{id}', { params: { id: rule.id }, body });
  const done = () => {
    notify('success', texts.complianceUpdated);
    onSaved();
  };
  const fields = useForm({
    schema: updateCompliance.body,
    begin: () => begin(rule),
    latest: async () => {
      const read = await call('GET /compliance/role/{roleId}/course/{courseId}', { params: { roleId: rule.role.id, courseId: course.id } });
      return read.kind === 'ok' && read.data.compliance ? begin(read.data.compliance) : null;
    },
    toInput: ruleOf,
    draft: `compliance rule ${rule.id}`,
    save: async (body) => {
      const result = await change(body);
      return result.kind === 'ok' ? { kind: 'ok', data: (result.meta as ResultsSaid)?.existingResult ?? 0 } : result;
    },
    onSaved: (existing) => {
      fields.restart(fields.values);
      if (existing > 0) askAboutResults(existing);
      else done();
    },
  });
  const recalculation = useAction(
    async () => {
      const result = await change({ update_previous_results: true });
      return result.kind === 'ok' ? { kind: 'ok' as const, data: (result.meta as ResultsSaid)?.datingAnew ?? 0 } : result;
    },
    { onDone: (waiting) => (waiting > 0 ? sayResultsAreDated(waiting) : done()) },
  );
  const months = course.defaults.renewal_months ?? 0;
  const { field } = fields;
  const kind = fields.values.renewal_kind;
  const ids = { role_id: rule.role_id, course_id: rule.course_id };
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
        <RenewalFields kind={kind} field={field} inherited={renewalWords(course.defaults)} />
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
        <div className={form.pair}>
          <DateField
            label="Required from"
            description="Nobody has to have done it before this day. Leave it empty if it has always been required."
            {...field('required_from')}
          />
          <DateField label="Required until" description="Leave it empty if it has no last day." {...field('required_until')} />
        </div>
        {fields.dirty && <RuleEffect ask={preview} change={{ ...ids, rule: { ...ruleOf(fields.values), update_previous_results: false } }} />}
      </FormSection>
      <ExistingResults
        effect={
          <RuleEffect
            ask={preview}
            lead="If you recalculate"
            change={{ ...ids, rule: { ...ruleOf(fields.values), update_previous_results: true } }}
          />
        }
        onDecide={(update) => (update ? void recalculation.run() : done())}
        onDone={done}
      />
    </Form>
  );
};

/** A job role's requirement for one course: how long a result lasts, when it warns, how long new starters have. */
export const Component = () => {
  const { slug = '', role = '', course = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /compliance/role/{roleId}/course/{courseId}', { params: { roleId: role, courseId: course } });
  const back = pathTo('entities-one-role-by-role-courses', { slug, role });
  const loaded = state.kind === 'loaded' ? state.data : null;
  usePlaceBelow(useLocation().pathname, { path: back, name: loaded?.compliance?.role.name ?? 'Courses of a job role' });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {loaded?.title ?? 'Rule for a course'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the rule" offline="Changing a rule needs a connection." />
      {loaded && !loaded.compliance && <ErrorState message="This job role does not require this course." onRetry={retry} />}
      {loaded?.compliance && !loaded.available && (
        <p className={layout.notice} data-tone="warning">
          {takenAway}
        </p>
      )}
      {loaded?.compliance && <RuleForm key={loaded.compliance.id} course={loaded} rule={loaded.compliance} onSaved={() => void navigate(back)} />}
    </div>
  );
};
