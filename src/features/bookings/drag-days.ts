import { Accessibility, DragDropManager, Draggable, Droppable, PointerActivationConstraints, PointerSensor } from '@dnd-kit/dom';
import { today } from '#src/features/bookings/words.ts';

export type Moved = (id: string, day: string) => void;

/**
 * Makes the sessions of a calendar's table draggable between its days; returns what ends it. A session is an element with `data-session`, dragged by the
 * button in it; a day is a cell with `data-day`, from today on. `onMoved` is told the session and the day on which it was let go, if that is another one.
 *
 * Sessions become draggable when they are pointed at and days when the first session does: a month has too many to prepare them all.
 */
export const dragDays = (table: HTMLElement, onMoved: Moved): (() => void) => {
  const manager = new DragDropManager({
    // The keyboard has the button, whose words say what it does; the library would name things by their ids.
    sensors: [
      PointerSensor.configure({
        // The button that it is dragged by can also be pressed: a mouse drags from the first few pixels on, a finger after a moment.
        activationConstraints: ({ pointerType }) => [
          pointerType === 'touch'
            ? new PointerActivationConstraints.Delay({ value: 250, tolerance: 5 })
            : new PointerActivationConstraints.Distance({ value: 4 }),
        ],
      }),
    ],
    plugins: (usual) => usual.filter((plugin) => plugin !== Accessibility),
  });
  const made = new Map<Element, Draggable | Droppable>();
  const tidy = () => {
    for (const [element, thing] of made)
      if (!element.isConnected) {
        thing.destroy();
        made.delete(element);
      }
  };
  const prepare = (session: HTMLElement) => {
    if (made.has(session)) return;
    tidy();
    for (const cell of table.querySelectorAll<HTMLElement>('td[data-day]')) {
      const day = cell.dataset.day as string;
      if (!made.has(cell) && day >= today()) made.set(cell, new Droppable({ id: day, element: cell }, manager));
    }
    made.set(
      session,
      new Draggable({ id: session.dataset.session as string, element: session, handle: session.querySelector('button') ?? undefined }, manager),
    );
    session.dataset.draggable = '';
  };
  const onPointer = ({ target }: Event) => {
    const session = target instanceof Element ? target.closest<HTMLElement>('[data-session]') : null;
    if (session && manager.dragOperation.status.idle) prepare(session);
  };
  const over = (cell: Element | undefined) => {
    for (const other of table.querySelectorAll('td[data-over]')) if (other !== cell) other.removeAttribute('data-over');
    cell?.setAttribute('data-over', '');
  };
  manager.monitor.addEventListener('dragstart', ({ operation: { source } }) => source?.element?.setAttribute('data-dragging', ''));
  manager.monitor.addEventListener('dragover', ({ operation: { target } }) => over(target?.element));
  manager.monitor.addEventListener('dragend', ({ canceled, operation: { source, target } }) => {
    source?.element?.removeAttribute('data-dragging');
    over(undefined);
    if (canceled || !source || !target) return;
    const day = String(target.id);
    if (source.element?.closest<HTMLElement>('td')?.dataset.day !== day) onMoved(String(source.id), day);
  });
  table.addEventListener('pointerover', onPointer);
  return () => {
    table.removeEventListener('pointerover', onPointer);
    manager.destroy();
  };
};
