import { Menu } from '@mantine/core';
import { RichTextEditor } from '@mantine/tiptap';
import { redoDepth, undoDepth } from '@tiptap/pm/history';
import { type Editor, useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { calloutTones } from '#contract/entities/content.ts';
import { chosenParts, deleteParts, moveParts } from '#src/features/content-creator/topic-editor/commands.ts';
import {
  IconAdd,
  IconBold,
  IconBullets,
  IconDelete,
  IconItalic,
  IconKeyboard,
  IconLink,
  IconNumbers,
  IconQuote,
  IconRedo,
  IconUndo,
} from '#src/features/content-creator/topic-editor/editor-icons.tsx';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import { IconDown, IconUp } from '#src/ui/icons.tsx';

const sizes = { 0: 'Text', 2: 'Heading', 3: 'Smaller heading', 4: 'Smallest heading' } as const;
type Size = keyof typeof sizes;
export const toneWords: Record<(typeof calloutTones)[number], string> = { remember: 'Remember', danger: 'Danger', example: 'Example' };

/** The insertable parts, by the panel that they need. */
export type Insertion = 'image' | 'video' | 'audio' | 'download' | 'table' | 'details' | 'h5p' | 'question' | 'bank' | (typeof calloutTones)[number];
const insertions: readonly [Insertion, string][] = [
  ['image', 'Picture'],
  ['video', 'Video'],
  ['audio', 'Recording'],
  ['download', 'File to download'],
  ['table', 'Table'],
  ['remember', 'Callout: remember'],
  ['danger', 'Callout: danger'],
  ['example', 'Callout: example'],
  ['details', 'Expandable part'],
  ['h5p', 'Activity (H5P)'],
  ['question', 'Question for practice'],
  ['bank', 'Question of the bank'],
];

type ControlProps = {
  label: string;
  keys?: string;
  active?: boolean;
  disabled?: boolean;
  onClick?: () => void;
  children: ReactNode;
  'data-focus'?: string;
  className?: string;
};
/** A toolbar button. A disabled one stays focusable, so that keyboard users keep their place. */
const Control = ({ label, keys, active, disabled = false, onClick, className = '', children, ...more }: ControlProps) => (
  <RichTextEditor.Control
    type="button"
    className={`${classes.control} ${className}`}
    aria-label={label}
    title={keys ? `${label} (${keys})` : label}
    aria-keyshortcuts={keys?.replaceAll(' ', '').replace('Ctrl', 'Control')}
    aria-disabled={disabled || undefined}
    aria-pressed={active}
    active={active === true}
    onClick={() => !disabled && onClick?.()}
    {...more}
  >
    {children}
  </RichTextEditor.Control>
);

type Props = {
  editor: Editor;
  bar: RefObject<HTMLDivElement | null>;
  /** Parts that cannot be inserted here are not offered. */
  offers: (what: Insertion) => boolean;
  onInsert: (what: Insertion) => void;
  onLink: () => void;
  onShortcuts: () => void;
  /** Announces to screen readers what was done. */
  say: (what: string) => void;
};

/** The editor's toolbar: a single tab stop, within which the arrow keys move. */
export const Toolbar = ({ editor, bar, offers, onInsert, onLink, onShortcuts, say }: Props) => {
  const current = useRef<HTMLElement | null>(null);
  const state = useEditorState({
    editor,
    selector: ({ editor: e }) => ({
      bold: e.isActive('bold'),
      italic: e.isActive('italic'),
      link: e.isActive('link'),
      bullets: e.isActive('bulletList'),
      numbers: e.isActive('orderedList'),
      quote: e.isActive('blockquote'),
      size: (e.isActive('heading') ? ((e.getAttributes('heading').level as Size | undefined) ?? 0) : 0) as Size,
      table: e.isActive('table'),
      headed: e.isActive('tableHeader'),
      tone: e.isActive('callout') ? (e.getAttributes('callout').tone as (typeof calloutTones)[number]) : null,
      undo: undoDepth(e.state) > 0,
      redo: redoDepth(e.state) > 0,
      up: moveParts(-1)(e.state),
      down: moveParts(1)(e.state),
    }),
  });
  const controls = () => [...(bar.current?.querySelectorAll<HTMLElement>('button') ?? [])];
  /** The button that is the tab stop. */
  const settle = () => {
    const all = controls();
    const one = current.current && all.includes(current.current) ? current.current : all[0];
    for (const control of all) control.tabIndex = control === one ? 0 : -1;
  };
  useLayoutEffect(settle);
  const key = (event: KeyboardEvent) => {
    const all = controls();
    const focusedIndex = all.indexOf(event.target as HTMLElement);
    if (focusedIndex < 0) return;
    const nextIndex = { ArrowRight: focusedIndex + 1, ArrowLeft: focusedIndex - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (nextIndex !== undefined) {
      event.preventDefault();
      all[nextIndex % all.length]?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      editor.commands.focus();
    }
  };
  const move = (direction: -1 | 1) => {
    moveParts(direction)(editor.state, editor.view.dispatch);
    const { first } = chosenParts(editor.state);
    say(`Moved ${direction < 0 ? 'up' : 'down'}: now ${first + 1} of ${editor.state.doc.childCount}.`);
  };
  const chain = () => editor.chain().focus();
  return (
    <RichTextEditor.Toolbar
      ref={bar}
      role="toolbar"
      aria-label="Text and parts"
      aria-orientation="horizontal"
      className={classes.toolbar}
      onKeyDown={key}
      onFocus={(event) => {
        if ((event.target as HTMLElement).tagName !== 'BUTTON') return;
        current.current = event.target as HTMLElement;
        settle();
      }}
    >
      <RichTextEditor.ControlsGroup>
        <Control label="Undo" keys="Ctrl + Z" disabled={!state.undo} onClick={() => chain().undo().run()}>
          <IconUndo size={22} />
        </Control>
        <Control label="Redo" keys="Ctrl + Y" disabled={!state.redo} onClick={() => chain().redo().run()}>
          <IconRedo size={22} />
        </Control>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Menu returnFocus={false} withinPortal position="bottom-start">
          <Menu.Target>
            <Control label={`Size: ${sizes[state.size]}`}>
              <span className={classes.words}>{sizes[state.size]} ▾</span>
            </Control>
          </Menu.Target>
          <Menu.Dropdown>
            {([0, 2, 3, 4] as const).map((size) => (
              <Menu.Item
                key={size}
                rightSection={<kbd>Ctrl + Alt + {size}</kbd>}
                onClick={() => (size === 0 ? chain().setParagraph().run() : chain().setHeading({ level: size }).run())}
              >
                {sizes[size]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Control label="Bold" keys="Ctrl + B" active={state.bold} onClick={() => chain().toggleBold().run()}>
          <IconBold size={22} />
        </Control>
        <Control label="Italic" keys="Ctrl + I" active={state.italic} onClick={() => chain().toggleItalic().run()}>
          <IconItalic size={22} />
        </Control>
        <Control label="Link" keys="Ctrl + K" active={state.link} onClick={onLink}>
          <IconLink size={22} />
        </Control>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Control label="Bulleted list" keys="Ctrl + Shift + 8" active={state.bullets} onClick={() => chain().toggleBulletList().run()}>
          <IconBullets size={22} />
        </Control>
        <Control label="Numbered list" keys="Ctrl + Shift + 7" active={state.numbers} onClick={() => chain().toggleOrderedList().run()}>
          <IconNumbers size={22} />
        </Control>
        <Control label="Quotation" keys="Ctrl + Shift + B" active={state.quote} onClick={() => chain().toggleBlockquote().run()}>
          <IconQuote size={22} />
        </Control>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Menu returnFocus={false} withinPortal position="bottom-start">
          <Menu.Target>
            <Control label="Insert" keys="Alt + I" data-focus="insert">
              <span className={classes.words}>
                <IconAdd size={20} /> Insert
              </span>
            </Control>
          </Menu.Target>
          <Menu.Dropdown>
            {insertions
              .filter(([what]) => offers(what))
              .map(([what, words]) => (
                <Menu.Item key={what} onClick={() => onInsert(what)}>
                  {words}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Control label="Move up" keys="Alt + ↑" disabled={!state.up} onClick={() => move(-1)}>
          <IconUp size={22} />
        </Control>
        <Control label="Move down" keys="Alt + ↓" disabled={!state.down} onClick={() => move(1)}>
          <IconDown size={22} />
        </Control>
        <Control
          label="Delete this part"
          keys="Alt + Delete"
          onClick={() => {
            deleteParts(editor.state, editor.view.dispatch);
            editor.commands.focus();
            say('Deleted.');
          }}
        >
          <IconDelete size={22} />
        </Control>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <Control label="Keyboard shortcuts" onClick={onShortcuts}>
          <IconKeyboard size={22} />
        </Control>
      </RichTextEditor.ControlsGroup>
      {state.table && (
        <RichTextEditor.ControlsGroup>
          <Menu returnFocus={false} withinPortal position="bottom-start">
            <Menu.Target>
              <Control label="Table">
                <span className={classes.words}>Table ▾</span>
              </Control>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => chain().addRowAfter().run()}>Row below</Menu.Item>
              <Menu.Item onClick={() => chain().addRowBefore().run()}>Row above</Menu.Item>
              <Menu.Item onClick={() => chain().deleteRow().run()}>Delete this row</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => chain().addColumnAfter().run()}>Column after</Menu.Item>
              <Menu.Item onClick={() => chain().addColumnBefore().run()}>Column before</Menu.Item>
              <Menu.Item onClick={() => chain().deleteColumn().run()}>Delete this column</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => chain().toggleHeaderRow().run()}>First row: headings or not</Menu.Item>
              <Menu.Item onClick={() => chain().toggleHeaderColumn().run()}>First column: headings or not</Menu.Item>
              <Menu.Item onClick={() => chain().mergeOrSplit().run()}>Merge or divide the chosen cells</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </RichTextEditor.ControlsGroup>
      )}
      {state.tone && (
        <RichTextEditor.ControlsGroup>
          <Menu returnFocus={false} withinPortal position="bottom-start">
            <Menu.Target>
              <Control label={`Callout: ${toneWords[state.tone]}`}>
                <span className={classes.words}>{toneWords[state.tone]} ▾</span>
              </Control>
            </Menu.Target>
            <Menu.Dropdown>
              {calloutTones.map((tone) => (
                <Menu.Item key={tone} onClick={() => chain().updateAttributes('callout', { tone }).run()}>
                  {toneWords[tone]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </RichTextEditor.ControlsGroup>
      )}
    </RichTextEditor.Toolbar>
  );
};
