import layout from '#src/ui/page.module.css';
import '@mantine/core/styles/ActionIcon.css';
import { ActionIcon, NumberInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { PathwayInput, pathwayLimits } from '#contract/entities/pathway.ts';
import { can } from '#contract/can.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { PathwayToChangeDocument, UpsertPathwayDocument } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import classes from '#src/features/pathways/pathways.module.css';
import type { PathwayRow } from '#src/features/pathways/step-words.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { type Option, Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { IconClose, IconDown, IconUp } from '#src/ui/icons.tsx';

type Step = { course_id: string; title: string; within_days: number | string };
type Props = { pathway: PathwayRow | null; success: string; onSaved: (id: string) => void; more?: ReactNode };

const moved = <T,>(all: readonly T[], from: number, to: number): T[] => {
  const rest = all.filter((_, i) => i !== from);
  return [...rest.slice(0, to), all[from] as T, ...rest.slice(to)];
};

const begin = (pathway: PathwayRow | null) => ({
  ...{ name: pathway?.name ?? '', description: pathway?.description ?? '', entity: null as Option | null },
  steps: (pathway?.steps ?? []).map((s): Step => ({ course_id: s.course_id, title: s.course_title, within_days: s.within_days ?? '' })),
});

/** Creates or changes a pathway: its name, and its courses in order, each with its days. */
export const PathwayForm = ({ pathway, success, onSaved, more }: Props) => {
  const user = useSession();
  const acting = useActingAs();
  const brand = useBrand();
  const fields = useForm({
    schema: PathwayInput,
    begin: () => begin(pathway),
    latest:
      pathway !== null &&
      (async () => {
        const read = await graphCall(PathwayToChangeDocument, { id: pathway.id });
        return read.kind === 'ok' && read.data.pathway ? begin(read.data.pathway) : null;
      }),
    toInput: ({ entity, steps, ...typed }) => ({
      ...typed,
      ...{ id: pathway?.id, entity: entity?.slug },
      steps: steps.map((s) => ({ course_id: s.course_id, within_days: s.within_days === '' ? null : Number(s.within_days) })),
    }),
    save: (input) => graphCall(UpsertPathwayDocument, { input }),
    success,
    onSaved: ({ upsertPathway }) => onSaved(upsertPathway.id),
    draft: `pathway ${pathway?.id ?? ''}`,
  });
  const { steps } = fields.values;
  const setSteps = (to: Step[]) => fields.set('steps', to);
  const listed = fields.field('steps');
  return (
    <Form form={fields} more={more}>
      <FormSection title="What it is">
        <TextInput label="Name" maxLength={200} {...fields.field('name')} />
        <Textarea label="Description" description="For the people on it." autosize maxLength={1000} {...fields.field('description')} />
        {!pathway && can(user, 'entity.search') && (
          <Picker
            from="organisations"
            label={brand.entityAltName}
            description="People there, and below it, can go through it."
            placeholder={(acting ?? user?.primary_entity)?.name ?? ''}
            clearable
            {...fields.field('entity')}
          />
        )}
      </FormSection>
      <FormSection title="Steps, in order">
        {steps.length > 0 && (
          <ol className={`${layout.lines} ${classes.steps}`} aria-label="Steps">
            {steps.map((step, i) => (
              <li key={step.course_id}>
                <strong>{step.title}</strong>
                <NumberInput
                  className={classes.days}
                  aria-label={`Days for ${step.title}`}
                  placeholder="No limit"
                  suffix={String(step.within_days) === '1' ? ' day' : ' days'}
                  {...{
                    min: 1,
                    max: pathwayLimits.withinDays,
                    clampBehavior: 'strict',
                    allowDecimal: false,
                    allowNegative: false,
                    hideControls: true,
                  }}
                  {...fields.part(`steps.${i}.within_days`)}
                />
                <span className={layout.tools}>
                  {(
                    [
                      ['Move up', i - 1, IconUp],
                      ['Move down', i + 1, IconDown],
                    ] as const
                  ).map(([label, to, Icon]) => (
                    <ActionIcon
                      key={label}
                      size={44}
                      variant="default"
                      disabled={to < 0 || to >= steps.length}
                      aria-label={`${label}: ${step.title}`}
                      onClick={() => setSteps(moved(steps, i, to))}
                    >
                      <Icon size={20} />
                    </ActionIcon>
                  ))}
                  <ActionIcon
                    size={44}
                    variant="default"
                    aria-label={`Remove ${step.title}`}
                    onClick={() => setSteps(steps.filter((s) => s !== step))}
                  >
                    <IconClose size={20} />
                  </ActionIcon>
                </span>
              </li>
            ))}
          </ol>
        )}
        <Picker
          from="courses"
          label="Add a course"
          description="Days are counted from when somebody was given the pathway, for a job role from their first day at the earliest. Without them there is no last day."
          except={steps.map((s) => s.course_id)}
          value={null}
          error={listed.error}
          data-field="steps"
          disabled={steps.length >= pathwayLimits.steps}
          onChange={(course) => course && setSteps([...steps, { course_id: course.id, title: course.name, within_days: '' }])}
        />
      </FormSection>
    </Form>
  );
};
