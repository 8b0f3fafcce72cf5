import layout from '#src/ui/page.module.css';
import { Button, TextInput } from '@mantine/core';
import type { Editor } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { H5pBlock } from '#contract/entities/content.ts';
import { linkTarget } from '#contract/rules/links.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import { Picker } from '#src/screens/pickers.tsx';

/** A panel below the toolbar. Enter presses its button and does not submit the form; Escape closes it. */
const Panel = ({ label, onEnter, onClose, children }: { label: string; onEnter?: () => void; onClose: () => void; children: ReactNode }) => {
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      onEnter?.();
    }
  };
  return (
    <section className={`${layout.stack} ${classes.panel}`} aria-label={label} onKeyDown={key}>
      {children}
    </section>
  );
};

/** A typed link target: a site with or without `https://`, or an e-mail address. Null if it is invalid. */
export const hrefOf = (typed: string): string | null => {
  const address = typed.trim();
  if (linkTarget(address) !== null) return address;
  if (/^[^\s@/]+@[^\s@]+\.\w+$/.test(address)) return `mailto:${address}`;
  return /^[\w-]+(\.[\w-]+)+([/?#]\S*)?$/.test(address) ? `https://${address}` : null;
};

export const LinkPanel = ({ editor, onClose }: { editor: Editor; onClose: () => void }) => {
  const before = (editor.getAttributes('link').href as string | undefined) ?? '';
  const [address, setAddress] = useState(before);
  const [error, setError] = useState<string | null>(null);
  const apply = () => {
    const href = hrefOf(address);
    if (!href) {
      setError('Enter the address of a page or a person, such as https://www.nice.org.uk or team@example.org.');
      return;
    }
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && !before)
      chain.insertContent([{ type: 'text', text: address.trim(), marks: [{ type: 'link', attrs: { href } }] }]);
    else chain.extendMarkRange('link').setLink({ href });
    chain.run();
    onClose();
  };
  return (
    <Panel label="Link" onEnter={apply} onClose={onClose}>
      <TextInput
        label="Address"
        data-autofocus
        autoFocus
        inputMode="url"
        autoCapitalize="off"
        value={address}
        error={error}
        onChange={(e) => setAddress(e.currentTarget.value)}
      />
      <div className={layout.tools}>
        <Button onClick={apply}>{before ? 'Change the link' : 'Add the link'}</Button>
        {before && (
          <Button
            variant="default"
            onClick={() => {
              editor.chain().focus().extendMarkRange('link').unsetLink().run();
              onClose();
            }}
          >
            Remove the link
          </Button>
        )}
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Panel>
  );
};

const activities = {
  find: async (search: string, signal: AbortSignal) => {
    const result = await call('GET /h5ps', { query: { search, per_page: 50 } }, { signal, quiet: true });
    return result.kind === 'ok' ? { options: result.data.map(({ id, title }) => ({ id, name: title })) } : { failed: sentenceOf(result) };
  },
  placeholder: 'Title of the activity',
  nothing: 'No matching activity',
};

/** Inserts a library activity as a block of a topic. */
const activityBlock = async (id: string): Promise<{ block: H5pBlock } | { failed: string }> => {
  const result = await call('GET /h5ps/{id}', { params: { id } }, { quiet: true });
  if (result.kind !== 'ok') return { failed: sentenceOf(result) };
  const { title, package: pack } = result.data;
  if (pack.manifest.kind !== 'h5p') return { failed: 'This is not an H5P activity.' };
  const { main_library, licence, authors, source } = pack.manifest;
  return {
    block: {
      kind: 'h5p',
      item_id: crypto.randomUUID(),
      h5p_id: id,
      title,
      package: { id: pack.id, tree: pack.tree, bytes: pack.bytes, files: pack.files, main_library, licence, authors, source },
      goal: 'completed',
      pass_percent: 0,
    },
  };
};

export const ActivityPanel = ({ onChosen, onClose }: { onChosen: (block: H5pBlock) => void; onClose: () => void }) => {
  const [error, setError] = useState<string | null>(null);
  return (
    <Panel label="Activity" onClose={onClose}>
      <Picker
        label="Activity of the library"
        from={activities}
        value={null}
        error={error}
        onChange={async (chosen) => {
          if (!chosen) return;
          const answer = await activityBlock(chosen.id);
          if ('failed' in answer) setError(answer.failed);
          else onChosen(answer.block);
        }}
      />
      <div className={layout.tools}>
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Panel>
  );
};

const shortcuts: readonly [string, string][] = [
  ['Alt + F10, or Escape', 'To the toolbar; the arrow keys move within it'],
  ['Ctrl + Z, Ctrl + Y', 'Undo, redo'],
  ['Ctrl + B, Ctrl + I', 'Bold, italic'],
  ['Ctrl + K', 'Link'],
  ['Ctrl + Alt + 2, 3, 4', 'Heading, smaller, smallest'],
  ['Ctrl + Alt + 0', 'Paragraph'],
  ['Ctrl + Shift + 7, 8', 'Numbered list, bulleted list'],
  ['Tab, Shift + Tab', 'In a list: further in, further out. In a table: next cell, cell before'],
  ['Alt + ↑, Alt + ↓', 'Move the part up, down'],
  ['Alt + Delete', 'Delete the part'],
  ['Enter on a picture, video, question …', 'To its fields; Escape leads back'],
  ['Ctrl + Enter', 'New paragraph below the part'],
  ['Alt + I', 'Insert'],
];

export const ShortcutsPanel = ({ onClose }: { onClose: () => void }) => (
  <Panel label="Keyboard shortcuts" onClose={onClose}>
    <dl className={classes.shortcuts}>
      {shortcuts.map(([keys, what]) => (
        <div key={keys}>
          <dt>{keys}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <div className={layout.tools}>
      <Button variant="default" autoFocus onClick={onClose}>
        Close
      </Button>
    </div>
  </Panel>
);
