import layout from '#src/ui/page.module.css';
import { Accessibility, PointerSensor } from '@dnd-kit/dom';
import { DragDropProvider } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { ActionIcon } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from '#src/screens/authoring/order-list.module.css';
import { moved } from '#src/screens/authoring/moved.ts';
import { IconDown, IconGrip, IconUp } from '#src/ui/icons.tsx';

// Keyboard users have buttons with labels; the library would announce things by their ids.
const sensors = [PointerSensor];
type Plugins = Parameters<typeof DragDropProvider>[0]['plugins'];
const plugins: Plugins = (usual) => usual.filter((plugin) => plugin !== Accessibility);

type Item = { id: string };
type Props<T extends Item> = {
  label: string;
  items: readonly T[];
  /** The name of one, for screen readers. */
  nameOf: (item: T, index: number) => string;
  /** Called with the new order. Without it, the order is fixed. */
  onMove?: ((items: T[]) => void) | undefined;
  /** False if something else moves them without a mouse. */
  buttons?: boolean;
  busy?: boolean;
  children: (item: T, index: number) => ReactNode;
};

type RowProps<T extends Item> = Omit<Props<T>, 'label' | 'onMove'> & {
  item: T;
  index: number;
  move: ((from: number, to: number) => void) | undefined;
};
const Row = <T extends Item>({ item, index, items, nameOf, move, buttons = true, busy = false, children }: RowProps<T>) => {
  const { ref, handleRef, isDragging } = useSortable({ id: item.id, index, disabled: !move || busy });
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  const pressed = useRef(false);
  const last = items.length - 1;
  // A button that becomes disabled passes the focus to the other one.
  useLayoutEffect(() => {
    if (pressed.current && index === 0) down.current?.focus();
    else if (pressed.current && index === last) up.current?.focus();
    pressed.current = false;
  }, [index, last]);
  const name = nameOf(item, index);
  const press = (to: number) => {
    pressed.current = true;
    move?.(index, to);
  };
  return (
    <li ref={ref} className={classes.item} data-bare={!buttons || undefined} data-dragging={isDragging || undefined}>
      {move && items.length > 1 && (
        <div className={classes.moves}>
          <span ref={handleRef} className={classes.handle} aria-hidden="true" title="Drag to move">
            <IconGrip size={20} />
          </span>
          {buttons && (
            <>
              <ActionIcon ref={up} variant="subtle" aria-label={`Move “${name}” up`} disabled={index === 0} onClick={() => press(index - 1)}>
                <IconUp />
              </ActionIcon>
              <ActionIcon ref={down} variant="subtle" aria-label={`Move “${name}” down`} disabled={index === last} onClick={() => press(index + 1)}>
                <IconDown />
              </ActionIcon>
            </>
          )}
        </div>
      )}
      <div className={classes.content}>{children(item, index)}</div>
    </li>
  );
};

/** A reorderable list: by dragging, or with two buttons per item, which need no mouse. */
export const OrderList = <T extends Item>({ label, onMove, ...props }: Props<T>) => {
  const { items, nameOf, busy } = props;
  const [announcement, announce] = useState('');
  const move =
    onMove &&
    ((from: number, to: number) => {
      const thing = items[from];
      if (!thing || from === to) return;
      announce(`“${nameOf(thing, from)}” is now ${to + 1} of ${items.length}.`);
      onMove(moved(items, from, to));
    });
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragEnd={({ canceled, operation: { source } }) => {
        if (!canceled && isSortable(source)) move?.(source.initialIndex, source.index);
      }}
    >
      <ol className={`${layout.list} ${classes.list}`} aria-label={label} aria-busy={busy}>
        {items.map((item, index) => (
          <Row key={item.id} {...props} move={move} item={item} index={index} />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </DragDropProvider>
  );
};
