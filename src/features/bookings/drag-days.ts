import { Accessibility, DragDropManager, Draggable, Droppable, PointerActivationConstraints, PointerSensor } from '@dnd-kit/dom';
import { today } from '#src/device/near-day.ts';

export type OnMoved = (id: string, day: string) => void;

/**
 * Makes the sessions of a calendar table draggable between its days. A session is an element with `data-session`, dragged by the button in it;
 * a day is a cell with `data-day`, from today on. `onMoved` gets the session and the day on which it was dropped, if that is another day.
 * Returns a function that ends dragging.
 *
 * Elements are registered only when a session is pointed at: a month has too many to register them all.
 */
export const dragDays = (table: HTMLElement, onMoved: OnMoved): (() => void) => {
  const manager = new DragDropManager({
    // Keyboard users get the button, which has a readable label. The library's own announcements would read out ids.
    sensors: [
      PointerSensor.configure({
        // The grip is also a button, so a press must not start dragging: a mouse has to move a few pixels, a finger to stay a moment.
        activationConstraints: ({ pointerType }) => [
          pointerType === 'touch'
            ? new PointerActivationConstraints.Delay({ value: 250, tolerance: 5 })
            : new PointerActivationConstraints.Distance({ value: 4 }),
        ],
      }),
    ],
    plugins: (usual) => usual.filter((plugin) => plugin !== Accessibility),
  });
  const registered = new Map<Element, Draggable | Droppable>();
  const dropDetached = () => {
    for (const [element, entity] of registered)
      if (!element.isConnected) {
        entity.destroy();
        registered.delete(element);
      }
  };
  const prepare = (session: HTMLElement) => {
    if (registered.has(session)) return;
    dropDetached();
    for (const cell of table.querySelectorAll<HTMLElement>('td[data-day]')) {
      const day = cell.dataset.day as string;
      if (!registered.has(cell) && day >= today()) registered.set(cell, new Droppable({ id: day, element: cell }, manager));
    }
    registered.set(
      session,
      new Draggable({ id: session.dataset.session as string, element: session, handle: session.querySelector('button') ?? undefined }, manager),
    );
    session.dataset.draggable = '';
  };
  const onPointer = ({ target }: Event) => {
    const session = target instanceof Element ? target.closest<HTMLElement>('[data-session]') : null;
    if (session && manager.dragOperation.status.idle) prepare(session);
  };
  const highlight = (cell: Element | undefined) => {
    for (const other of table.querySelectorAll('td[data-over]')) if (other !== cell) other.removeAttribute('data-over');
    cell?.setAttribute('data-over', '');
  };
  manager.monitor.addEventListener('dragstart', ({ operation: { source } }) => source?.element?.setAttribute('data-dragging', ''));
  manager.monitor.addEventListener('dragover', ({ operation: { target } }) => highlight(target?.element));
  manager.monitor.addEventListener('dragend', ({ canceled, operation: { source, target } }) => {
    source?.element?.removeAttribute('data-dragging');
    highlight(undefined);
    if (canceled || !source || !target) return;
    const day = String(target.id);
    if (source.element?.closest<HTMLElement>('td')?.dataset.day !== day) onMoved(String(source.id), day);
  });
  table.addEventListener('pointerover', onPointer);
  // The pointer may have come to rest on a session before this was loaded.
  const pointedAt = table.querySelector<HTMLElement>('[data-session]:hover');
  if (pointedAt) prepare(pointedAt);
  return () => {
    table.removeEventListener('pointerover', onPointer);
    manager.destroy();
  };
};
