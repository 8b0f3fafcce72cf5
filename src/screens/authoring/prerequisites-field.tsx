import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '#src/screens/authoring/authoring.module.css';
import type { Group } from '#src/screens/authoring/content-values.ts';
import { findContents } from '#src/screens/authoring/find-contents.ts';
import { MultiPicker } from '#src/screens/pickers.tsx';
import { IconClose } from '#src/ui/icons.tsx';

const contents = { find: findContents, placeholder: 'Choose contents', nothing: 'No content of this title' };
type Props = { groups: readonly Group[]; except: string | undefined; error: ReactNode; onChange: (groups: Group[]) => void };

/** The prerequisites of a content: one of each group. */
export const PrerequisitesField = ({ groups, except, error, onChange }: Props) => (
  <div className={layout.stack} data-field="prerequisites">
    {groups.length === 0 && <p className={shapes.muted}>Nothing: people can begin with this.</p>}
    {groups.map((group, i) => (
      <div key={group.key} className={classes.groupLine}>
        {i > 0 && <span className={classes.joint}>and</span>}
        <MultiPicker
          from={contents}
          label={`One of these${groups.length > 1 ? ` (group ${i + 1})` : ''}`}
          {...(except ? { except: [except] } : {})}
          value={group.contents}
          onChange={(chosen) => onChange(groups.map((g) => (g === group ? { ...g, contents: chosen } : g)))}
        />
        <ActionIcon variant="default" aria-label={`Remove group ${i + 1}`} onClick={() => onChange(groups.filter((g) => g !== group))}>
          <IconClose size={20} />
        </ActionIcon>
      </div>
    ))}
    {error && (
      <p className={layout.notice} data-tone="danger" role="alert">
        {error}
      </p>
    )}
    {groups.length < 20 && (
      <Button variant="default" style={{ justifySelf: 'start' }} onClick={() => onChange([...groups, { key: crypto.randomUUID(), contents: [] }])}>
        {groups.length === 0 ? 'Ask for something first' : 'And one of …'}
      </Button>
    )}
  </div>
);
