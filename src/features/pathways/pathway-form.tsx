import '@mantine/core/styles/ActionIcon.css';
import { ActionIcon, Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { pathwayLimits } from '#contract/entities/pathway.ts';
import { can } from '#contract/can.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { findCourses, findEntities } from '#src/api/find.ts';
import { UpsertPathwayDocument } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import classes from '#src/features/pathways/pathways.module.css';
import type { PathwayRow } from '#src/features/pathways/step-words.ts';
import form from '#src/ui/form.module.css';
import { IconClose, IconDown, IconUp } from '#src/ui/icons.tsx';
import { SearchedSelect } from '#src/ui/searched-select.tsx';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

type Typed = { id: string; title: string; days: string };
type Place = { id: string; title: string; slug: string };
type Props = { pathway: PathwayRow | null; onSaved: (id: string) => void; more?: ReactNode };

const moved = <T,>(all: readonly T[], from: number, to: number): T[] => {
  const rest = all.filter((_, i) => i !== from);
  return [...rest.slice(0, to), all[from] as T, ...rest.slice(to)];
};

/** Makes or changes a pathway: its name, and courses in their order, each with its days. */
export const PathwayForm = ({ pathway, onSaved, more }: Props) => {
  const user = useSession();
  const brand = useBrand();
  const [name, setName] = useState(pathway?.name ?? '');
  const [description, setDescription] = useState(pathway?.description ?? '');
  const [place, setPlace] = useState<Place | null>(null);
  const [steps, setSteps] = useState<Typed[]>(
    pathway?.steps.map((s) => ({ id: s.course_id, title: s.course_title, days: String(s.within_days ?? '') })) ?? [],
  );
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const change = (to: Typed[]) => {
    setSteps(to);
    setErrors({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const missing = {
      ...(name.trim() === '' ? { name: 'Give the pathway a name.' } : {}),
      ...(steps.length === 0 ? { steps: 'Add at least one course.' } : {}),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    const result = await graphCall(UpsertPathwayDocument, {
      input: {
        id: pathway?.id ?? null,
        entity: place?.slug ?? null,
        ...{ name, description },
        steps: steps.map((s) => ({ course_id: s.id, within_days: s.days === '' ? null : Number(s.days) })),
      },
    });
    setBusy(false);
    if (result.kind === 'ok') onSaved(result.data.upsertPathway.id);
    else setErrors(fieldErrorsOf(result));
  };
  return (
    <form noValidate className={form.form} onSubmit={(event) => void submit(event)}>
      <ErrorSummary errors={errors} />
      <fieldset className={`app-card ${form.group}`} disabled={busy}>
        <legend>What it is</legend>
        <TextInput
          label="Name"
          maxLength={200}
          value={name}
          error={errors.name}
          onChange={(e) => {
            setName(e.currentTarget.value);
            setErrors({});
          }}
        />
        <Textarea
          label="Description"
          description="For those who go through it."
          autosize
          maxLength={1000}
          value={description}
          error={errors.description}
          onChange={(e) => setDescription(e.currentTarget.value)}
        />
        {!pathway && can(user, 'entity.search') && (
          <SearchedSelect
            label={brand.entityAltName}
            description="People there, and below it, can go through it."
            placeholder={user?.primary_entity.name ?? ''}
            nothing="No match"
            search={findEntities}
            value={place}
            error={errors.entity}
            onChange={setPlace}
          />
        )}
      </fieldset>
      <fieldset className={`app-card ${form.group}`} disabled={busy}>
        <legend>Its steps, in order</legend>
        {steps.length > 0 && (
          <ol className={classes.steps} aria-label="Steps">
            {steps.map((step, i) => (
              <li key={step.id}>
                <strong>{step.title}</strong>
                <NumberInput
                  className={classes.days}
                  aria-label={`Days for ${step.title}`}
                  placeholder="No limit"
                  suffix={step.days === '1' ? ' day' : ' days'}
                  {...{
                    min: 1,
                    max: pathwayLimits.withinDays,
                    clampBehavior: 'strict',
                    allowDecimal: false,
                    allowNegative: false,
                    hideControls: true,
                  }}
                  value={step.days}
                  onChange={(to) => change(steps.map((s) => (s.id === step.id ? { ...s, days: String(to) } : s)))}
                />
                <span className={classes.moves}>
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
                      onClick={() => change(moved(steps, i, to))}
                    >
                      <Icon size={20} />
                    </ActionIcon>
                  ))}
                  <ActionIcon
                    size={44}
                    variant="default"
                    aria-label={`Remove ${step.title}`}
                    onClick={() => change(steps.filter((s) => s.id !== step.id))}
                  >
                    <IconClose size={20} />
                  </ActionIcon>
                </span>
              </li>
            ))}
          </ol>
        )}
        <SearchedSelect
          key={steps.length}
          label="Add a course"
          description="Days are counted from when somebody was given the pathway, for a job role from their first day at the earliest. Without them there is no last day."
          placeholder="Choose one"
          nothing="Nothing of this title"
          search={findCourses}
          except={steps.map((s) => s.id)}
          value={null}
          error={errors.steps}
          disabled={steps.length >= pathwayLimits.steps}
          onChange={(course) => {
            if (!steps.some((s) => s.id === course.id)) change([...steps, { id: course.id, title: course.title, days: '' }]);
          }}
        />
      </fieldset>
      <div className={form.actions}>
        <Button type="submit" loading={busy}>
          Save
        </Button>
        {more}
      </div>
    </form>
  );
};
