import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import layout from '#src/ui/page.module.css';

type Props = { title: string; id?: string; tools?: ReactNode; children: ReactNode };

/** A section of a page as a card, with its heading and actions. Links can lead to its `id`. */
export const Section = ({ title, id, tools, children }: Props) => (
  <section id={id} aria-label={title} className={`app-card ${layout.block}`}>
    <div className={layout.head}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {tools}
    </div>
    {children}
  </section>
);
