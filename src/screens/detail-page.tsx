import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '#src/screens/detail-page.module.css';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

type Props = {
  title: string;
  /** How it stands, beside its name. */
  badge?: ReactNode;
  /** In a few words below its name; what is empty is left out. */
  about?: readonly (string | null | undefined | false)[];
  actions?: ReactNode;
  /** What is less often asked for: beside the rest where there is room, else below it. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A page about one thing: what it is called and how it stands, what can be done with it, and its sections. */
export const DetailPage = ({ title, badge, about = [], actions, aside, children }: Props) => (
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
      {aside ? (
        <div className={classes.columns}>
          <div className={classes.body}>{children}</div>
          <div className={classes.side}>{aside}</div>
        </div>
      ) : (
        children
      )}
    </div>
  </div>
);

/** What is known of something, by name; without a name over the whole width. What is empty is left out. */
export const Facts = ({ title, facts }: { title: string; facts: readonly [string, ReactNode][] }) => {
  const known = facts.filter(([, fact]) => fact !== null && fact !== false && fact !== '');
  return (
    known.length > 0 && (
      <Section title={title}>
        <dl className={classes.facts}>
          {known.map(([name, fact]) => (
            <div key={name} style={{ display: 'contents' }}>
              {name && <dt>{name}</dt>}
              <dd className={name ? undefined : classes.wide}>{fact}</dd>
            </div>
          ))}
        </dl>
      </Section>
    )
  );
};
