import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '#src/screens/detail-page.module.css';
import { type DetailTabList, DetailTabs } from '#src/screens/detail-tabs.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';

type Props = {
  title: string;
  /** Its status, beside its name. */
  badge?: ReactNode;
  /** Facts in a few words below its name; empty ones are left out. */
  about?: readonly (string | null | undefined | false)[];
  actions?: ReactNode;
  /** What applies at this moment, such as who else has it open. */
  note?: ReactNode;
  /** Secondary content: beside the rest if there is room, otherwise below it. */
  aside?: ReactNode;
  children?: ReactNode;
  /** Its tabs, of which one is open, below the common part. */
  tabs?: DetailTabList;
};

const WithAside = ({ aside, children }: Pick<Props, 'aside' | 'children'>) =>
  aside ? (
    <div className={classes.columns}>
      <div className={classes.body}>{children}</div>
      <div className={classes.side}>{aside}</div>
    </div>
  ) : (
    children
  );

/** A page about one thing: its name and status, its actions, and its sections, in tabs if there are many. */
export const DetailPage = ({ title, badge, about = [], actions, note, aside, children, tabs }: Props) => (
  <div className={classes.frame}>
    <div className={classes.body}>
      <header className={layout.head}>
        <div>
          <div className={classes.name}>
            <Title order={1} className={layout.title}>
              {title}
            </Title>
            {badge}
          </div>
          {about.some(Boolean) && <p className={layout.count}>{about.filter(Boolean).join(' · ')}</p>}
        </div>
        {actions && <div className={layout.tools}>{actions}</div>}
      </header>
      {note}
      <WithAside aside={aside}>{children}</WithAside>
      {tabs && (
        <DetailTabs
          label={title}
          tabs={tabs}
          show={(tab) => (
            <div className={classes.body}>
              <WithAside aside={tab.aside}>{tab.content}</WithAside>
            </div>
          )}
        />
      )}
    </div>
  </div>
);

/** Facts by name; without a name over the whole width. Empty ones are left out. */
export const Facts = ({ title, facts, tools }: { title: string; facts: readonly [string, ReactNode][]; tools?: ReactNode }) => {
  const known = facts.filter(([, fact]) => fact !== null && fact !== false && fact !== '');
  return (
    known.length > 0 && (
      <Section title={title} tools={tools}>
        <dl className={`${shapes.facts} ${classes.facts}`}>
          {known.map(([name, fact]) => (
            <div key={name}>
              {name && <dt>{name}</dt>}
              <dd className={name ? undefined : classes.wide}>{fact}</dd>
            </div>
          ))}
        </dl>
      </Section>
    )
  );
};
