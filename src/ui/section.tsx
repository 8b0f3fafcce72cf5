import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import layout from '#src/ui/page.module.css';

type Props = { title: string; id?: string; tools?: ReactNode; children: ReactNode };

/** A part of a page on a card of its own, with its heading and what can be done beside it. A link leads to it by its `id`. */
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
