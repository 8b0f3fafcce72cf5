import { Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { can, type Need } from '#contract/can.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/screens/widgets/widgets.module.css';
import layout from '#src/ui/page.module.css';

/** A part of a dashboard. `wide`: over the whole width. `need`: who may see it. */
export type DashboardWidget = { id: string; title: string; wide?: true; need?: Need; Component: ComponentType<{ title: string }> };
type Props = {
  title: string;
  /** The question that it answers. */
  question: string;
  widgets: readonly DashboardWidget[];
  tools?: ReactNode;
};

/** A page of widgets that answers one question. */
export const Dashboard = ({ title, question, widgets, tools }: Props) => {
  const me = useSession();
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <div>
          <Title order={1} className={layout.title}>
            {title}
          </Title>
          <span className={layout.soft}>{question}</span>
        </div>
        {tools}
      </div>
      <div className={classes.grid}>
        {widgets
          .filter(({ need }) => !need || can(me, need))
          .map(({ id, wide, title: name, Component }) => (
            <div key={id} data-wide={wide}>
              <Component title={name} />
            </div>
          ))}
      </div>
    </div>
  );
};
