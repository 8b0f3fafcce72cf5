import { Checkbox, NumberInput, Text, Title } from '@mantine/core';
import { useNavigate, useParams } from 'react-router-dom';
import { type previewCourseRules, updateCourseRules } from '#contract/api/compliance.ts';
import type { BodyInput } from '#contract/api/endpoint.ts';
import type { CourseRules } from '#contract/entities/compliance.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { askAboutResults, ExistingResults, type ResultsSaid, sayResultsAreDated } from '#src/features/compliance/existing-results.tsx';
import { numberOf, RenewalFields, renewalOf, whole } from '#src/features/compliance/renewal-fields.tsx';
import { RuleEffect } from '#src/features/compliance/rule-effect.tsx';
import { renewalWords } from '#src/features/compliance/rule-words.ts';
import { countOf } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { coursesOf, MultiPicker, type Option, Picker } from '#src/screens/pickers.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

type Values = ReturnType<typeof valuesOf>;
const valuesOf = ({ renewal, alternatives, parts }: CourseRules) => ({
  renewal_months: (renewal.renewal_months ?? '') as string | number,
  renewal_kind: renewal.renewal_kind as string,
  renewal_window: renewal.renewal_window as string | number,
  renewal_on: renewal.renewal_on ?? '',
  alternative_ids: alternatives as readonly Option[],
  two_parts: parts !== null,
  parts: { theory_id: (parts?.theory ?? null) as Option | null, practical_id: (parts?.practical ?? null) as Option | null },
});
const linksOf = ({ alternative_ids, two_parts, parts: { theory_id: theory, practical_id: practical } }: Values) => ({
  alternative_ids: alternative_ids.map((a) => a.id),
  parts: two_parts ? { theory_id: theory?.id ?? '', practical_id: practical?.id ?? '' } : null,
});
const renewalIn = (values: Values) => {
  const { renewal_kind, renewal_window, renewal_on } = renewalOf(values);
  return {
    renewal_months: numberOf(values.renewal_months),
    renewal_kind: renewal_kind ?? 'rolling',
    renewal_window: renewal_window ?? 0,
    renewal_on,
  };
};

const RulesForm = ({ slug, rules, onSaved }: { slug: string; rules: CourseRules; onSaved: () => void }) => {
  const params = { slug, courseId: rules.id };
  const change = (body: BodyInput<typeof updateCourseRules>) => call('PATCH /entities/{slug}/courses/{courseId}/rules', { params, body });
  const preview = (body: BodyInput<typeof previewCourseRules>, signal: AbortSignal) =>
    call('POST /entities/{slug}/courses/{courseId}/rules/preview', { params, body }, { signal });
  const done = () => {
    notify('success', texts.complianceUpdated);
    onSaved();
  };
  const editable = rules.renewal_editable;
  const fields = useForm({
    schema: updateCourseRules.body,
    begin: () => valuesOf(rules),
    draft: `course rules ${params.slug} ${params.courseId}`,
    toInput: (values) => ({ ...(editable ? renewalIn(values) : {}), ...linksOf(values) }),
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
  const { field, values } = fields;
  const part = (name: keyof Values['parts']) => ({ ...fields.part(`parts.${name}`), value: values.parts[name] });
  const courses = { ...coursesOf(slug), placeholder: 'Choose courses', nothing: 'No course of this title' };
  const both = linksOf(values).parts;
  const rule = { ...renewalIn(values), ...linksOf(values) };
  // An incomplete choice has no preview.
  const isWhole = both === null || (both.theory_id !== '' && both.practical_id !== '' && both.theory_id !== both.practical_id);
  const effect = (lead: string, update_previous_results: boolean) => (
    <RuleEffect
      ask={preview}
      lead={lead}
      whom="who have to do it"
      nobody="No job role of anybody here asks for this course."
      change={{ ...rule, update_previous_results }}
    />
  );
  const { renewal_months: months } = rules.renewal;
  return (
    <Form form={{ ...fields, busy: fields.busy || recalculation.busy }}>
      <FormSection title="How long it is valid">
        {editable ? (
          <>
            <NumberInput
              label="Valid for, in months"
              description="0 or empty: it does not expire. Job roles can say otherwise."
              {...whole}
              {...field('renewal_months')}
            />
            <RenewalFields kind={values.renewal_kind} field={field} />
          </>
        ) : (
          <Text>
            {months
              ? `${countOf(months, 'month')}${rules.renewal.renewal_kind === 'rolling' ? '' : `, ${renewalWords(rules.renewal)}`}.`
              : 'It does not expire.'}{' '}
            {rules.owner.slug === slug
              ? 'You do not have the permission to change this.'
              : `Only ${rules.owner.name}, which owns the course, can change this.`}
          </Text>
        )}
      </FormSection>
      <FormSection title="What counts as well">
        <MultiPicker
          label="Courses that count as well"
          description={`Anyone in date with one of these is also in date with ${rules.title}: a higher level, for example. It does not work the other way round.`}
          from={courses}
          except={[rules.id]}
          {...field('alternative_ids')}
        />
        {rules.inherited_alternatives.length > 0 && (
          <Text>{rules.inherited_alternatives.map((a) => `“${a.name}” counts as well, says ${a.entity.name}.`).join(' ')}</Text>
        )}
      </FormSection>
      <FormSection title="Theory and practical part">
        <Checkbox
          label="Both parts are needed"
          description="Anyone who has done only one of them is not in date. The course expires with the part that expires first."
          {...fields.checkbox('two_parts')}
        />
        {values.two_parts && (
          <>
            <Picker label="Theory part" description="One of the parts may be this course itself." from={courses} {...part('theory_id')} />
            <Picker label="Practical part" from={courses} {...part('practical_id')} />
          </>
        )}
        {!values.two_parts && rules.inherited_parts && (
          <Text>
            {rules.inherited_parts.entity.name} says that both parts are needed: “{rules.inherited_parts.theory.name}” and “
            {rules.inherited_parts.practical.name}”.
          </Text>
        )}
        {fields.dirty && isWhole && effect('If you save this', false)}
      </FormSection>
      <ExistingResults
        effect={effect('If you recalculate', true)}
        onDecide={(update) => (update ? void recalculation.run() : done())}
        onDone={done}
      />
    </Form>
  );
};

/** How long a course is valid, its alternatives, and its parts. */
export const Component = () => {
  const { slug = '', course = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /entities/{slug}/courses/{courseId}/rules', { params: { slug, courseId: course } });
  const back = pathTo('entities-one-courses', { slug });
  const loaded = state.kind === 'loaded' ? state.data : null;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {loaded?.title ?? 'Rules of a course'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the rules" offline="Changing the rules of a course needs a connection." />
      {loaded && <RulesForm key={loaded.id} slug={slug} rules={loaded} onSaved={() => void navigate(back)} />}
    </div>
  );
};
