import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Accessibility, PointerSensor } from '@dnd-kit/dom';
import { DragDropProvider, useDraggable, useDroppable } from '@dnd-kit/react';
import { ActionIcon, Button, Checkbox, Menu, TextInput } from '@mantine/core';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from 'react';
import { designBlockKinds, designLimits } from '#contract/entities/design.ts';
import { BlockLook } from '#src/features/content-designer/block-look.tsx';
import { IconCopy, kindIcons } from '#src/features/content-designer/designer-icons.tsx';
import classes from '#src/features/content-designer/designer.module.css';
import { blocksOf, type EditedBlock, type EditedPage } from '#src/features/content-designer/edited.ts';
import {
  addBlock,
  changePage,
  deleteBlock,
  deletePage,
  type Direction,
  directions,
  duplicateBlock,
  duplicatePage,
  emptyBlock,
  findBlock,
  kindNames,
  moveBlock,
  movePage,
  nameOf,
  nudged,
  pageName,
  type Place,
  whereWords,
} from '#src/features/content-designer/edits.ts';
import type { Designer } from '#src/features/content-designer/use-designer.ts';
import { countOf } from '#src/lib/format.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconChevronLeft, IconChevronRight, IconClose, IconDown, IconGrip, IconUp } from '#src/ui/icons.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import { atMost } from '#src/lib/at-most.ts';

// Keyboard users have shortcuts and labelled buttons; the library would announce blocks by their ids.
const sensors = [PointerSensor];
type Plugins = Parameters<typeof DragDropProvider>[0]['plugins'];
const plugins: Plugins = (usual) => usual.filter((plugin) => plugin !== Accessibility);

const kindAbout: Record<EditedBlock['kind'], string> = {
  text: 'Headings, paragraphs and lists',
  picture: 'With spots that open',
  cards: 'Turned one by one',
  timeline: 'What happens when',
  scenario: 'Choices that lead on',
  question: 'Scored or for practice',
  film: 'With questions on the way',
  acknowledgement: 'Signed with a name',
  checklist: 'Ticked item by item',
};
const directionIcons = { up: IconUp, down: IconDown, left: IconChevronLeft, right: IconChevronRight } as const;
const arrowKeys: Partial<Record<string, Direction>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

/** A drop target: between rows, or beside a block in a row. */
const Zone = ({ row, column }: Pick<Place, 'row' | 'column'>) => {
  const { ref, isDropTarget } = useDroppable({ id: `${row}:${column}` });
  return <div ref={ref} aria-hidden="true" className={column === 'new' ? classes.between : classes.beside} data-over={isDropTarget || undefined} />;
};

type CardProps = {
  block: EditedBlock;
  where: string;
  chosen: boolean;
  problems: number;
  /** The actions on the selected block. */
  tools: ReactNode;
  onChoose: (id: string, toFields?: boolean) => void;
  onMove: (id: string, direction: Direction) => void;
  onDelete: (id: string) => void;
};
const Card = memo(({ block, where, chosen, problems, tools, onChoose, onMove, onDelete }: CardProps) => {
  const { ref, handleRef, isDragging } = useDraggable({ id: block.id });
  const Icon = kindIcons[block.kind];
  const key = (event: KeyboardEvent) => {
    const direction = event.altKey && arrowKeys[event.key];
    if (direction) {
      event.preventDefault();
      onMove(block.id, direction);
    } else if (event.altKey && event.key === 'Delete') {
      event.preventDefault();
      onDelete(block.id);
    }
  };
  return (
    <section
      ref={ref}
      className={`${layout.stack} ${classes.block}`}
      aria-label={`${nameOf(block)}, ${where}`}
      data-chosen={chosen || undefined}
      data-dragging={isDragging || undefined}
    >
      <div className={classes.blockHead}>
        <span ref={handleRef} className={classes.handle} aria-hidden="true" title="Drag to move">
          <IconGrip size={20} />
        </span>
        <button
          type="button"
          className={`${shapes.press} ${classes.blockName}`}
          data-block={block.id}
          aria-pressed={chosen}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight Alt+Delete"
          onClick={() => onChoose(block.id, chosen)}
          onKeyDown={key}
        >
          <Icon size={20} />
          <span>{nameOf(block)}</span>
        </button>
        {problems > 0 && <Badge tone="warning">{countOf(problems, 'problem')}</Badge>}
      </div>
      {tools}
      <BlockLook block={block} />
    </section>
  );
});

/** The menu of kinds of blocks to add. */
const AddMenu = ({ onAdd, children }: { onAdd: (kind: EditedBlock['kind']) => void; children: ReactNode }) => (
  <Menu withinPortal hideDetached={false} position="bottom-start" returnFocus={false}>
    <Menu.Target>{children}</Menu.Target>
    <Menu.Dropdown>
      {designBlockKinds.map((kind) => {
        const Icon = kindIcons[kind];
        return (
          <Menu.Item key={kind} leftSection={<Icon size={20} />} onClick={() => onAdd(kind)}>
            {kindNames[kind]}
            <small className={layout.soft}>{kindAbout[kind]}</small>
          </Menu.Item>
        );
      })}
    </Menu.Dropdown>
  </Menu>
);

const Tool = ({ label, disabled = false, onClick, children }: { label: string; disabled?: boolean; onClick: () => void; children: ReactNode }) => (
  <ActionIcon variant="default" aria-label={label} title={label} aria-disabled={disabled || undefined} onClick={onClick}>
    {children}
  </ActionIcon>
);

type Props = {
  designer: Designer;
  page: EditedPage;
  index: number;
  /** The number of problems of each block. */
  problems: Readonly<Record<string, number>>;
  /** Moves the focus to the fields of the selected block. */
  toFields: () => void;
};

/** The canvas of a page: its blocks in rows of one to three, and the actions on the selected one. */
export const Canvas = ({ designer, page, index, problems, toFields }: Props) => {
  const { design, chosen, choose, change, say, now } = designer;
  const box = useRef<HTMLDivElement>(null);
  /** What gets the focus once it is rendered. */
  const focusOn = useRef<string | null>(null);
  useEffect(() => {
    if (focusOn.current === null) return;
    box.current?.querySelector<HTMLElement>(focusOn.current)?.focus();
    focusOn.current = null;
  });
  const selected = chosen.block === null ? null : findBlock(design, chosen.block);
  const full = blocksOf(page).length >= designLimits.blocks || page.rows.length >= designLimits.rows;

  const add = (kind: EditedBlock['kind'], row: number) => {
    const block = emptyBlock(kind);
    const next = addBlock(now(), block, { page: page.id, row, column: 'new' });
    if (!next) return;
    change(next, { name: `Add “${kindNames[kind]}”`, page: page.id, block: block.id });
    choose(page.id, block.id);
    say(`${kindNames[kind]} is added, ${whereWords(next, block.id)}.`);
    toFields();
  };
  const move = (id: string, direction: Direction) => {
    const next = nudged(now(), id, direction);
    const found = findBlock(now(), id);
    if (!found) return;
    if (!next) {
      say(`${nameOf(found.block)} cannot go further ${direction}.`);
      return;
    }
    change(next, { name: `Move “${nameOf(found.block)}”`, block: id });
    choose(page.id, id);
    say(`${nameOf(found.block)} is now in ${whereWords(next, id)}.`);
    // In another row the block is mounted again and would lose the focus.
    if (document.activeElement?.getAttribute('data-block') === id) focusOn.current = `[data-block="${id}"]`;
  };
  const remove = (id: string) => {
    const found = findBlock(now(), id);
    if (!found) return;
    const all = blocksOf(page);
    const place = all.findIndex((b) => b.id === id);
    const next = all[place + 1] ?? all[place - 1];
    change(deleteBlock(now(), id), { name: `Delete “${nameOf(found.block)}”`, block: id });
    choose(page.id);
    say(`${nameOf(found.block)} is deleted. Undo brings it back.`);
    focusOn.current = next ? `[data-block="${next.id}"]` : '[data-add]';
  };
  const latest = useRef({ move, remove, choose, toFields });
  latest.current = { move, remove, choose, toFields };
  const stable = useRef({
    onChoose: (id: string, toFieldsOf?: boolean) => {
      latest.current.choose(null, id);
      if (toFieldsOf) latest.current.toFields();
    },
    onMove: (id: string, direction: Direction) => latest.current.move(id, direction),
    onDelete: (id: string) => latest.current.remove(id),
  });
  const others = design.pages.map((p, i) => ({ id: p.id, name: pageName(p, i), rows: p.rows.length })).filter((p) => p.id !== page.id);
  const tools = selected && (
    <fieldset className={`${shapes.bare} ${layout.tools} ${classes.blockTools}`} aria-label={`What to do with ${nameOf(selected.block)}`}>
      {directions.map((direction) => {
        const Icon = directionIcons[direction];
        return (
          <Tool
            key={direction}
            label={`Move ${direction}`}
            disabled={!nudged(design, selected.block.id, direction)}
            onClick={() => move(selected.block.id, direction)}
          >
            <Icon size={20} />
          </Tool>
        );
      })}
      <Tool
        label="Duplicate"
        onClick={() => {
          const made = duplicateBlock(now(), selected.block.id);
          if (!made) {
            say('There is no room for another block.');
            return;
          }
          change(made.design, { name: `Duplicate “${nameOf(selected.block)}”`, block: made.id });
          choose(page.id, made.id);
          say(`${nameOf(selected.block)} is duplicated, ${whereWords(made.design, made.id)}.`);
        }}
      >
        <IconCopy size={20} />
      </Tool>
      <Tool label="Delete" onClick={() => remove(selected.block.id)}>
        <IconClose size={20} />
      </Tool>
      <AddMenu onAdd={(kind) => add(kind, selected.row + 1)}>
        <Button variant="subtle" disabled={full}>
          Add below
        </Button>
      </AddMenu>
      {others.length > 0 && (
        <Menu withinPortal hideDetached={false} position="bottom-start">
          <Menu.Target>
            <Button variant="subtle">To another page</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((other) => (
              <Menu.Item
                key={other.id}
                onClick={() => {
                  const next = moveBlock(now(), selected.block.id, { page: other.id, row: other.rows, column: 'new' });
                  if (!next) {
                    say(`There is no room on “${other.name}”.`);
                    return;
                  }
                  change(next, { name: `Move “${nameOf(selected.block)}” to “${other.name}”`, page: other.id });
                  choose(other.id, selected.block.id);
                  say(`${nameOf(selected.block)} is now at the end of “${other.name}”.`);
                  focusOn.current = `[data-block="${selected.block.id}"]`;
                }}
              >
                {other.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </fieldset>
  );

  return (
    <div ref={box} className={`${layout.stack} ${classes.canvas}`}>
      <section className={`app-card ${layout.stack} ${classes.pageHead}`} aria-label="This page">
        <TextInput
          label="Title of the page"
          {...atMost(200, page.title)}
          data-page-title
          onChange={(e) =>
            change(changePage(now(), page.id, { title: e.currentTarget.value }), { name: 'Rename the page', block: null, typed: `${page.id}.title` })
          }
        />
        <Checkbox
          label="Has to be read"
          checked={page.required}
          onChange={(e) =>
            change(changePage(now(), page.id, { required: e.currentTarget.checked }), { name: 'Change whether the page has to be read', block: null })
          }
        />
        <div className={`${layout.tools} ${classes.tools}`}>
          {([-1, 1] as const).map((by) => (
            <Button
              key={by}
              variant="default"
              aria-disabled={!movePage(design, page.id, index + by) || undefined}
              leftSection={by < 0 ? <IconUp size={20} /> : <IconDown size={20} />}
              onClick={() => {
                const next = movePage(now(), page.id, index + by);
                if (!next) return;
                change(next, { name: `Move the page “${pageName(page, index)}”`, block: null });
                say(`“${pageName(page, index)}” is now page ${index + by + 1} of ${next.pages.length}.`);
              }}
            >
              {by < 0 ? 'Move page up' : 'Move page down'}
            </Button>
          ))}
          <Button
            variant="default"
            onClick={() => {
              const made = duplicatePage(now(), page.id);
              if (!made) {
                say('There is no room for another page.');
                return;
              }
              change(made.design, { name: `Duplicate the page “${pageName(page, index)}”`, page: made.id, block: null });
              choose(made.id);
              say(`“${pageName(page, index)}” is duplicated. You are on the copy.`);
            }}
          >
            Duplicate page
          </Button>
          <Button
            variant="subtle"
            color="red"
            onClick={() => {
              const next = deletePage(now(), page.id);
              change(next, { name: `Delete the page “${pageName(page, index)}”`, page: page.id, block: null });
              choose((next.pages[index] ?? next.pages[index - 1])?.id ?? null);
              say(`“${pageName(page, index)}” is deleted. Undo brings it back.`);
              focusOn.current = '[data-page-title]';
            }}
          >
            Delete page
          </Button>
        </div>
      </section>
      <DragDropProvider
        sensors={sensors}
        plugins={plugins}
        onDragEnd={({ canceled, operation: { source, target } }) => {
          const [row, column] = String(target?.id ?? '').split(':');
          if (canceled || !source || row === undefined || column === undefined) return;
          const id = String(source.id);
          const found = findBlock(now(), id);
          const next = moveBlock(now(), id, { page: page.id, row: Number(row), column: column === 'new' ? 'new' : Number(column) });
          if (!next || !found) return;
          change(next, { name: `Move “${nameOf(found.block)}”`, block: id });
          choose(page.id, id);
          say(`${nameOf(found.block)} is now in ${whereWords(next, id)}.`);
        }}
      >
        {page.rows.length === 0 ? (
          <EmptyState title="This page is empty">Add a text, a picture, a question or another block.</EmptyState>
        ) : (
          <div className={classes.rows}>
            <Zone row={0} column="new" />
            {page.rows.map((row, r) => (
              <div key={row.id} className={classes.rowFrame}>
                <div className={`${layout.stack} ${classes.row}`} data-columns={row.blocks.length}>
                  {row.blocks.length < designLimits.columns && <Zone row={r} column={0} />}
                  {row.blocks.map((block, c) => (
                    <div key={block.id} className={classes.cell}>
                      <Card
                        block={block}
                        where={whereWords(design, block.id)}
                        chosen={chosen.block === block.id}
                        problems={problems[block.id] ?? 0}
                        tools={chosen.block === block.id ? tools : null}
                        {...stable.current}
                      />
                      {row.blocks.length < designLimits.columns && <Zone row={r} column={c + 1} />}
                    </div>
                  ))}
                </div>
                <Zone row={r + 1} column="new" />
              </div>
            ))}
          </div>
        )}
      </DragDropProvider>
      <AddMenu onAdd={(kind) => add(kind, page.rows.length)}>
        <Button data-add disabled={full} className={shapes.start}>
          Add a block
        </Button>
      </AddMenu>
      {full && <p className={layout.soft}>This page is full: go on on another one.</p>}
    </div>
  );
};
