import look from '#src/ui/page.module.css';
import '@mantine/core/styles/Checkbox.css';
import { Button, Checkbox } from '@mantine/core';
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { DashboardId } from '#contract/dashboard-titles.ts';
import type { DashboardLayout } from '#contract/entities/dashboard.ts';
import type { FieldErrors } from '#src/api/field-errors.ts';
import { call } from '#src/api/call.ts';
import { Form } from '#src/screens/form.tsx';
import { useUnsaved } from '#src/screens/unsaved.ts';
import { useAction } from '#src/screens/use-action.ts';
import type { ArrangedSpec } from '#src/screens/widgets/use-layout.ts';
import classes from '#src/screens/widgets/widgets.module.css';
import { IconDown, IconUp } from '#src/ui/icons.tsx';
import layoutClasses from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

type Props = {
  dashboard: DashboardId;
  layout: DashboardLayout;
  widgets: readonly ArrangedSpec[];
  onChange: (widgets: readonly ArrangedSpec[]) => void;
  /** Reloads the arrangement from the server. */
  onRead: () => void;
  onDone: () => void;
};
type Way = 'up' | 'down';

const wordsOf = ({ from, organisation }: DashboardLayout) =>
  from === 'person'
    ? 'You arranged this dashboard yourself.'
    : from === 'organisation' && organisation
      ? `This is the arrangement of ${organisation.name}.`
      : 'Nobody has arranged this dashboard yet.';

/** Moves, hides and shows the widgets of a dashboard, for oneself or for everybody at one's organisation. */
export const Arrange = ({ dashboard, layout, widgets, onChange, onRead, onDone }: Props) => {
  const [begin] = useState(widgets);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [announcement, announce] = useState('');
  const id = useId();
  const arranged = (list: readonly ArrangedSpec[]) => list.map(({ id: widget, hidden }) => ({ id: widget, hidden }));
  const dirty = JSON.stringify(arranged(widgets)) !== JSON.stringify(arranged(begin));
  const unsaved = useUnsaved(id, dirty);
  const done = () => {
    unsaved.clear();
    onRead();
    onDone();
  };

  const change = (to: readonly ArrangedSpec[], words: string) => {
    setErrors({});
    announce(words);
    onChange(to);
  };
  // The pressed button moves with its row and keeps the focus.
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const moved = useRef<{ widget: string; way: Way } | null>(null);
  useLayoutEffect(() => {
    if (!moved.current) return;
    const { widget, way } = moved.current;
    moved.current = null;
    const [pressed, other] = [way, way === 'up' ? 'down' : 'up'].map((w) => buttons.current.get(`${widget} ${w}`));
    (pressed?.disabled ? other : pressed)?.focus();
  });
  const move = (at: number, way: Way) => {
    const target = at + (way === 'up' ? -1 : 1);
    const widget = widgets[at] as ArrangedSpec;
    moved.current = { widget: widget.id, way };
    change(widgets.toSpliced(at, 1).toSpliced(target, 0, widget), `${widget.title} is now ${target + 1} of ${widgets.length}.`);
  };
  const toggle = (at: number) => {
    const widget = widgets[at] as ArrangedSpec;
    change(widgets.with(at, { ...widget, hidden: !widget.hidden }), `${widget.title} is ${widget.hidden ? 'shown' : 'hidden'}.`);
  };

  const params = { dashboard };
  const saving = useAction(
    async (forAll: boolean) => {
      const { shared } = layout;
      const body = forAll && shared ? { rev: shared.rev, entity: shared.entity.slug } : { rev: layout.rev };
      const answer = await call('PATCH /dashboards/{dashboard}/layout', { params, body: { ...body, widgets: arranged(widgets) } });
      if (answer.kind !== 'refused' || answer.error.code !== 'rev_mismatch') return answer;
      onRead();
      const whole =
        'This was arranged somewhere else in the meantime. Yours is still here: save again to put it in its place, or cancel to see the other.';
      return { kind: 'failed' as const, errors: { whole } };
    },
    { success: 'The arrangement is saved.', onDone: done, onFailed: setErrors },
  );
  const clearing = useAction(
    (forAll: boolean) =>
      call('DELETE /dashboards/{dashboard}/layout', { params, query: forAll && layout.shared ? { entity: layout.shared.entity.slug } : {} }),
    { success: 'The arrangement is as it was.', onDone: done, onFailed: setErrors },
  );
  const busy = saving.busy || clearing.busy;
  const { shared, organisation } = layout;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void saving.run(false);
  };
  return (
    <Section title="Arrange this dashboard">
      <p className={layoutClasses.count}>{wordsOf(layout)} Below it looks as it will.</p>
      <Form
        form={{ errors, busy: saving.busy, submit, unsavedId: id }}
        label="Arrange this dashboard"
        beside={
          <>
            {shared && (
              <Button variant="default" loading={busy} onClick={() => void saving.run(true)}>
                Save for everybody in {shared.entity.name}
              </Button>
            )}
            <Button variant="subtle" disabled={busy} onClick={onDone}>
              Cancel
            </Button>
          </>
        }
        more={
          (layout.from === 'person' || shared?.rev) && (
            <>
              {layout.from === 'person' && (
                <Button variant="default" disabled={busy} onClick={() => void clearing.run(false)}>
                  {organisation ? `Back to the arrangement of ${organisation.name}` : 'Back to the standard arrangement'}
                </Button>
              )}
              {shared?.rev && (
                <Button variant="default" disabled={busy} onClick={() => void clearing.run(true)}>
                  Delete the arrangement of {shared.entity.name}
                </Button>
              )}
            </>
          )
        }
      >
        <ol className={`${look.plain} ${classes.arrange}`} aria-label="Widgets">
          {widgets.map((widget, at) => (
            <li key={widget.id}>
              <Checkbox label={widget.title} checked={!widget.hidden} disabled={busy} onChange={() => toggle(at)} />
              {(['up', 'down'] as const).map((way) => (
                <Button
                  key={way}
                  ref={(button) => {
                    if (button) buttons.current.set(`${widget.id} ${way}`, button);
                  }}
                  variant="default"
                  className={classes.step}
                  aria-label={`${widget.title}: ${way}`}
                  disabled={busy || at === (way === 'up' ? 0 : widgets.length - 1)}
                  onClick={() => move(at, way)}
                >
                  {way === 'up' ? <IconUp size={20} /> : <IconDown size={20} />}
                </Button>
              ))}
            </li>
          ))}
        </ol>
        <p className="visually-hidden" role="status">
          {announcement}
        </p>
      </Form>
    </Section>
  );
};
