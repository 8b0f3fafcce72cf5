import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Button, NativeSelect, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { designLimits } from '#contract/entities/design.ts';
import { scenarioProblems } from '#contract/rules/design-problems.ts';
import type { Change } from '#src/features/content-designer/block-fields.tsx';
import classes from '#src/features/content-designer/designer.module.css';
import type { Of } from '#src/features/content-designer/edited.ts';
import { newPart } from '#src/features/content-designer/edits.ts';
import { OrderList } from '#src/screens/authoring/order-list.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { IconAlert, IconClose } from '#src/ui/icons.tsx';
import { atMost } from '#src/lib/at-most.ts';

type Scenario = Of<'scenario'>;
type Step = Scenario['steps'][number];
type Choice = Step['choices'][number];
const newStep = 'new-step';
const kinds = [
  { value: '', label: 'People choose what to do' },
  { value: 'good', label: 'A good end' },
  { value: 'poor', label: 'A poor end: they begin again' },
];

/** A scenario as a list of steps: each with its choices, and the step to which each leads. */
export const ScenarioField = ({ block, change }: { block: Scenario; change: Change<Scenario> }) => {
  const box = useRef<HTMLDivElement>(null);
  const { steps } = block;
  const problems = scenarioProblems(steps);
  const label = (step: Step) => {
    const text = step.text.trim().replace(/\s+/g, ' ');
    return `Step ${steps.indexOf(step) + 1}${text ? `: ${text.length > 44 ? `${text.slice(0, 43)}…` : text}` : ''}`;
  };
  const put = (id: string, to: (step: Step) => Step, name: string, typed?: string) =>
    change((b) => ({ ...b, steps: b.steps.map((s) => (s.id === id ? to(s) : s)) }), name, typed);
  const putChoice = (step: string, id: string, to: Partial<Choice>, name: string, typed?: string) =>
    put(step, (s) => ({ ...s, choices: s.choices.map((c) => (c.id === id ? { ...c, ...to } : c)) }), name, typed);
  const emptyStep = (): Step => ({ id: newPart(), text: '', end: null, choices: [] });
  const target = (step: Step, choice: Choice, to: string) => {
    if (to !== newStep) {
      putChoice(step.id, choice.id, { to }, 'Change where a choice leads');
      return;
    }
    const made = emptyStep();
    change(
      (b) => ({
        ...b,
        steps: [
          ...b.steps.map((s) => (s.id === step.id ? { ...s, choices: s.choices.map((c) => (c.id === choice.id ? { ...c, to: made.id } : c)) } : s)),
          made,
        ],
      }),
      'Add a step',
    );
  };
  const full = steps.length >= designLimits.steps;
  const whole = problems.filter((p) => p.step === null);
  return (
    <div ref={box} className={`${layout.stack} ${shapes.bare}`}>
      {whole.map(({ message }) => (
        <p key={message} className={classes.lacks}>
          <IconAlert size={18} /> {message}
        </p>
      ))}
      <OrderList
        label="Steps of the scenario"
        items={steps}
        nameOf={label}
        onMove={(next) => change((b) => ({ ...b, steps: next }), 'Put the steps in another order')}
      >
        {(step, i) => {
          const stepProblems = problems.filter((p) => p.step === step.id);
          return (
            <fieldset className={`${layout.stack} ${shapes.bare}`} aria-label={`Step ${i + 1}`}>
              <div className={`${layout.line} ${classes.partHead}`}>
                <strong>Step {i + 1}</strong>
                {i === 0 && <Badge tone="plain">It begins here</Badge>}
                {step.end && <Badge tone={step.end === 'good' ? 'ok' : 'warning'}>{step.end === 'good' ? 'Good end' : 'Poor end'}</Badge>}
                <ActionIcon
                  variant="subtle"
                  aria-label={`Delete step ${i + 1}`}
                  onClick={() =>
                    // Choices that led to it lead nowhere, and say so.
                    change(
                      (b) => ({
                        ...b,
                        steps: b.steps
                          .filter((s) => s.id !== step.id)
                          .map((s) =>
                            s.choices.some((c) => c.to === step.id)
                              ? { ...s, choices: s.choices.map((c) => (c.to === step.id ? { ...c, to: '' } : c)) }
                              : s,
                          ),
                      }),
                      `Delete ${label(step).replace(/^S/, 's')}`,
                    )
                  }
                >
                  <IconClose size={20} />
                </ActionIcon>
              </div>
              <Textarea
                label={`What happens in step ${i + 1}`}
                autosize
                minRows={2}
                {...atMost(2000, step.text)}
                onChange={(e) => {
                  const text = e.currentTarget.value;
                  put(step.id, (s) => ({ ...s, text }), 'Write a step', `${block.id}.${step.id}.text`);
                }}
              />
              <NativeSelect
                label={`How step ${i + 1} goes on`}
                value={step.end ?? ''}
                data={kinds}
                onChange={(e) => {
                  const end = e.currentTarget.value === '' ? null : (e.currentTarget.value as 'good' | 'poor');
                  // An end step has no choices; undo restores them.
                  put(step.id, (s) => ({ ...s, end, choices: end ? [] : s.choices }), 'Change how a step goes on');
                }}
              />
              {step.choices.map((choice, c) => (
                <fieldset
                  key={choice.id}
                  className={`${layout.stack} ${shapes.bare} ${classes.part}`}
                  aria-label={`Choice ${c + 1} of step ${i + 1}`}
                >
                  <div className={`${layout.line} ${classes.partHead}`}>
                    <span>Choice {c + 1}</span>
                    <ActionIcon
                      variant="subtle"
                      aria-label={`Delete choice ${c + 1} of step ${i + 1}`}
                      onClick={() => put(step.id, (s) => ({ ...s, choices: s.choices.filter((o) => o.id !== choice.id) }), 'Delete a choice')}
                    >
                      <IconClose size={20} />
                    </ActionIcon>
                  </div>
                  <Textarea
                    label={`Choice ${c + 1} of step ${i + 1}`}
                    autosize
                    minRows={1}
                    {...atMost(500, choice.text)}
                    onChange={(e) =>
                      putChoice(step.id, choice.id, { text: e.currentTarget.value }, 'Write a choice', `${block.id}.${choice.id}.text`)
                    }
                  />
                  <NativeSelect
                    label={`Choice ${c + 1} of step ${i + 1} leads to`}
                    value={steps.some((s) => s.id === choice.to) ? choice.to : ''}
                    data={[
                      { value: '', label: 'Nowhere yet' },
                      ...steps.map((s) => ({ value: s.id, label: label(s) })),
                      ...(full ? [] : [{ value: newStep, label: 'A new step' }]),
                    ]}
                    onChange={(e) => target(step, choice, e.currentTarget.value)}
                  />
                  <Textarea
                    label={`Shown to people who take choice ${c + 1} of step ${i + 1}`}
                    autosize
                    minRows={1}
                    {...atMost(2000, choice.feedback)}
                    onChange={(e) =>
                      putChoice(step.id, choice.id, { feedback: e.currentTarget.value }, 'Write a choice', `${block.id}.${choice.id}.said`)
                    }
                  />
                </fieldset>
              ))}
              {step.end === null && step.choices.length < designLimits.choices && (
                <Button
                  variant="default"
                  className={shapes.start}
                  onClick={() =>
                    put(step.id, (s) => ({ ...s, choices: [...s.choices, { id: newPart(), text: '', feedback: '', to: '' }] }), 'Add a choice')
                  }
                >
                  Add a choice<span className="visually-hidden"> to step {i + 1}</span>
                </Button>
              )}
              {stepProblems.length > 0 && (
                <ul className={`${layout.plain} ${layout.stack} ${layout.tight}`} aria-label={`What is missing in step ${i + 1}`}>
                  {stepProblems.map(({ message }, n) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two can have the same text
                    <li key={n} className={classes.lacks}>
                      <IconAlert size={18} /> {message}
                    </li>
                  ))}
                </ul>
              )}
            </fieldset>
          );
        }}
      </OrderList>
      {!full && (
        <Button variant="default" className={shapes.start} onClick={() => change((b) => ({ ...b, steps: [...b.steps, emptyStep()] }), 'Add a step')}>
          Add a step
        </Button>
      )}
    </div>
  );
};
