import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import layout from '#src/ui/page.module.css';

/** A part of a page on a card of its own, with its heading and what can be done beside it. */
export const Section = ({ title, tools, children }: { title: string; tools?: ReactNode; children: ReactNode }) => (
  <section aria-label={title} className={`app-card ${layout.block}`}>
    <div className={layout.head}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {tools}
    </div>
    {children}
  </section>
);
