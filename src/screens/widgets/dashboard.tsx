import { Button, Title } from '@mantine/core';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { DashboardId } from '#contract/dashboard-titles.ts';
import type { WidgetId } from '#contract/dashboard-widgets.ts';
import { useLine } from '#src/device/line.ts';
import { Arrange } from '#src/screens/widgets/arrange.tsx';
import { type ArrangedSpec, useLayout } from '#src/screens/widgets/use-layout.ts';
import classes from '#src/screens/widgets/widgets.module.css';
import { IconSettings } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { LoadingState } from '#src/ui/states.tsx';

/** The component of each widget. Which widgets there are, and who sees them, is defined in the contract. */
export type WidgetViews<D extends DashboardId> = Record<WidgetId<D>, ComponentType<{ title: string }>>;

/** The widgets of a dashboard in their arrangement, with the button to arrange them. */
export const useDashboard = <D extends DashboardId>(dashboard: D, views: WidgetViews<D>): { button: ReactNode; content: ReactNode } => {
  const { layout: saved, widgets, arrange, retry } = useLayout(dashboard);
  const hasLine = useLine();
  /** Null unless it is being arranged. */
  const [draft, setDraft] = useState<readonly ArrangedSpec[] | null>(null);
  const shown = (draft ?? widgets)?.filter((w) => !w.hidden);
  return {
    button: !draft && (
      <div className={layout.line}>
        {!hasLine && <span className={layout.soft}>Arranging needs a connection.</span>}
        <Button
          variant="default"
          leftSection={<IconSettings size={20} />}
          disabled={!saved || !hasLine}
          onClick={() => saved && setDraft(arrange(saved.widgets))}
        >
          Arrange
        </Button>
      </div>
    ),
    content: (
      <>
        {draft && saved && (
          <Arrange dashboard={dashboard} layout={saved} widgets={draft} onChange={setDraft} onRead={retry} onDone={() => setDraft(null)} />
        )}
        {!shown && <LoadingState label="Loading the dashboard" />}
        {shown?.length === 0 && <p className={layout.count}>Everything on this dashboard is hidden. Arrange it to show it again.</p>}
        <div className={classes.grid}>
          {shown?.map(({ id, wide, title }) => {
            const View: ComponentType<{ title: string }> = views[id as WidgetId<D>];
            return (
              <div key={id} data-wide={wide}>
                <View title={title} />
              </div>
            );
          })}
        </div>
      </>
    ),
  };
};

type Props<D extends DashboardId> = {
  id: D;
  title: string;
  /** The question that it answers. */
  question: string;
  views: WidgetViews<D>;
  tools?: ReactNode;
  /** Shown in place of the widgets while they are empty. */
  instead?: ReactNode;
};

/** A page of widgets that answers one question. */
export const Dashboard = <D extends DashboardId>({ id, title, question, views, tools, instead }: Props<D>) => {
  const { button, content } = useDashboard(id, views);
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <div>
          <Title order={1} className={layout.title}>
            {title}
          </Title>
          <span className={layout.soft}>{question}</span>
        </div>
        <div className={layout.tools}>
          {tools}
          {!instead && button}
        </div>
      </div>
      {instead || content}
    </div>
  );
};
