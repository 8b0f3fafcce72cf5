import { Accessibility, PointerSensor } from '@dnd-kit/dom';
import { DragDropProvider, useDraggable, useDroppable } from '@dnd-kit/react';
import { Button } from '@mantine/core';
import { type ComponentProps, type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { CalendarSession } from '#contract/entities/booking.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/features/bookings/calendar.module.css';
import { dayWords, today } from '#src/features/bookings/words.ts';
import { DateField } from '#src/ui/date-field.tsx';
import { IconCalendar, IconGrip } from '#src/ui/icons.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';

// The keyboard has a button, whose words say what it does; the library would name things by their ids.
const sensors = [PointerSensor];
type Plugins = ComponentProps<typeof DragDropProvider>['plugins'];
const plugins: Plugins = (usual) => usual.filter((plugin) => plugin !== Accessibility);

/** Opens the form of a session with another day filled in: nothing is changed until it is saved there. */
const useMove = () => {
  const navigate = useNavigate();
  return (id: string, day: string) =>
    void navigate(`${pathTo('training-sessions-update-by-id', { id })}?${new URLSearchParams({ date: day }).toString()}`);
};

/** Whether one can move a session: it is to come, and one may change it. */
export const useMovable = () => {
  const user = useSession();
  return (s: CalendarSession) => s.register && s.open && can(user, needOf('training-sessions-update-by-id'));
};

const ChooseDay = ({ session, onChosen }: { session: CalendarSession; onChosen: (day: string) => void }) => {
  const [day, setDay] = useState(session.date);
  return (
    <div className={layout.page}>
      <p>
        {session.course.name}, {dayWords(session.date)}, {session.startTime} to {session.endTime}. Nothing is changed until you save it on the next
        page.
      </p>
      <DateField label="Move to" value={day} onChange={setDay} />
      <Button disabled={!/^\d{4}-\d\d-\d\d$/.test(day) || day === session.date} onClick={() => onChosen(day)}>
        Continue
      </Button>
    </div>
  );
};

const dialog = 'move-session';
/** Asks to which day the session is moved whose button was pressed. One for all of a calendar. */
export const MoveDialog = () => {
  const move = useMove();
  return (
    <RegisteredModal<CalendarSession> name={dialog} title="Move to another day">
      {(session) => (
        <ChooseDay
          session={session}
          onChosen={(day) => {
            closeModal(dialog);
            move(session.id, day);
          }}
        />
      )}
    </RegisteredModal>
  );
};

/** Opens the dialog for one session. Where sessions can be dragged, also what they are dragged by. */
export const MoveButton = ({ session, handle, dragged }: { session: CalendarSession; handle?: Ref<HTMLButtonElement>; dragged?: boolean }) => (
  <button
    ref={handle}
    type="button"
    className={classes.move}
    data-dragged={dragged || undefined}
    title={handle ? 'Drag to another day, or choose one' : 'Move to another day …'}
    aria-label={`Move to another day …: ${session.course.name}, ${dayWords(session.date)}, ${session.startTime}`}
    onClick={() => openModal(dialog, session)}
  >
    {handle ? <IconGrip size={18} /> : <IconCalendar size={18} />}
  </button>
);

type Dragged = { id: string; element: RefObject<HTMLElement | null>; handle: RefObject<HTMLElement | null>; onDragging: (is: boolean) => void };
const Drags = ({ id, element, handle, onDragging }: Dragged) => {
  const { isDragging } = useDraggable({ id, element, handle });
  useEffect(() => onDragging(isDragging), [isDragging, onDragging]);
  return null;
};

/** A session that can be dragged to another day, from when it is pointed at: a month has too many to make all of them so. */
export const MovableEntry = ({ session, children }: { session: CalendarSession; children: ReactNode }) => {
  const [element, handle] = [useRef<HTMLDivElement>(null), useRef<HTMLButtonElement>(null)];
  const [pointed, setPointed] = useState(false);
  const [dragging, setDragging] = useState(false);
  return (
    <div ref={element} className={classes.movable} data-dragging={dragging || undefined} onPointerEnter={() => setPointed(true)}>
      {children}
      <MoveButton session={session} handle={handle} dragged={dragging} />
      {pointed && <Drags id={session.id} element={element} handle={handle} onDragging={setDragging} />}
    </div>
  );
};

/** A day to which sessions can be dragged, from today on. */
export const DayCell = ({ day, ...cell }: { day: string } & ComponentProps<'td'>) => {
  const { ref, isDropTarget } = useDroppable({ id: day, disabled: day < today() });
  return <td ref={ref} data-over={isDropTarget || undefined} {...cell} />;
};

/** Days between which sessions can be dragged. */
export const DragDays = ({ dayOf, children }: { dayOf: (id: string) => string | undefined; children: ReactNode }) => {
  const move = useMove();
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragEnd={({ canceled, operation: { source, target } }) => {
        if (canceled || !source || !target) return;
        const [id, day] = [String(source.id), String(target.id)];
        if (dayOf(id) !== day) move(id, day);
      }}
    >
      {children}
    </DragDropProvider>
  );
};
