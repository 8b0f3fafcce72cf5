import layout from '#src/ui/page.module.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { useMemo } from 'react';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { outsideLinks } from '#contract/rules/outside-links.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { countOf, formatMegabytes } from '#src/lib/format.ts';
import { defaultBudget } from '#src/offline/media/budget.ts';
import { mediaOf, type PackContent, packagesOf, packBytes } from '#src/offline/media/packs.ts';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';

export const OfflineSwitch = ({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) => (
  <Switch label="As offline" size="md" checked={on} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
);

type Props = { what: 'topic' | 'content'; content: PackContent; texts: readonly RichNode[] };
/** What a device would store if a learner makes the course available offline, and what it cannot store. */
export const AsOffline = ({ what, content, texts }: Props) => {
  const { media, packages, bytes } = useMemo(
    () => ({ media: mediaOf(content), packages: packagesOf(content), bytes: packBytes(content) }),
    [content],
  );
  const links = useMemo(() => outsideLinks(texts), [texts]);
  const parts = [
    ...(media.length > 0 ? [countOf(media.length, 'file')] : []),
    ...(packages.length > 0 ? [countOf(packages.length, 'activity', 'activities')] : []),
  ];
  const largest = media.reduce<number>((most, m) => Math.max(most, m.bytes), 0);
  const isTooMuch = bytes > defaultBudget;
  return (
    <section className={`${layout.notice} ${classes.problems}`} data-tone="plain" aria-label="Without a connection">
      <p>
        <IconCheck size={20} /> This {what} takes {formatMegabytes(bytes)} on a device that keeps the course: its words
        {parts.length > 0 && `, ${parts.join(' and ')}`}
        {largest > bytes / 2 && media.length > 1 && `, the largest of ${formatMegabytes(largest)}`}. All of that is there without a connection.
      </p>
      {isTooMuch && (
        <p>
          <IconAlert size={20} /> That is more than the {formatMegabytes(defaultBudget)} that a device keeps for courses. Make its videos shorter or
          smaller.
        </p>
      )}
      {links.length > 0 && (
        <>
          <p>
            <IconAlert size={20} /> {links.length === 1 ? 'One link leads' : `${links.length} links lead`} to another site, and{' '}
            {links.length === 1 ? 'needs' : 'need'} a connection:
          </p>
          <ul>
            {links.map(({ words, host }) => (
              <li key={`${words} ${host}`}>
                “{words}” ({host})
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};
