import { Button } from '@mantine/core';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { CalendarSession } from '#contract/entities/booking.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/features/bookings/calendar.module.css';
import { nearDay } from '#src/device/near-day.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { DateField } from '#src/ui/date-field.tsx';
import { IconCalendar } from '#src/ui/icons.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';

/** Opens the form of a session with another day filled in. */
const useMove = () => {
  const navigate = useNavigate();
  return (id: string, day: string) =>
    void navigate(`${pathTo('training-sessions-update-by-id', { id })}?${new URLSearchParams({ date: day }).toString()}`);
};

/** Whether the user can move a session. */
export const useMovable = () => {
  const user = useSession();
  return (s: CalendarSession) => s.register && s.open && can(user, needOf('training-sessions-update-by-id'));
};

const ChooseDay = ({ session, onChosen }: { session: CalendarSession; onChosen: (day: string) => void }) => {
  const [day, setDay] = useState(session.date);
  return (
    <div className={layout.page}>
      <p>
        {session.course.name}, {nearDay(session.date)}, {timesWords(session)}. Nothing is changed until you save it on the next page.
      </p>
      <DateField label="Move to" value={day} onChange={setDay} />
      <Button disabled={!/^\d{4}-\d\d-\d\d$/.test(day) || day === session.date} onClick={() => onChosen(day)}>
        Continue
      </Button>
    </div>
  );
};

const dialog = 'move-session';
/** The dialog for the new day of a session. Mounted once per calendar. */
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

/** Opens the dialog for one session. With `drags` it is also the grip for dragging the session. */
export const MoveButton = ({ session, drags = false }: { session: CalendarSession; drags?: boolean }) => (
  <button
    type="button"
    className={drags ? `${classes.move} ${classes.grip}` : classes.move}
    title={drags ? 'Drag to another day, or choose one' : 'Move to another day …'}
    aria-label={`Move to another day …: ${session.course.name}, ${nearDay(session.date)}, ${session.startTime}`}
    onClick={() => openModal(dialog, session)}
  >
    {!drags && <IconCalendar size={18} />}
  </button>
);

/** Makes the sessions of a table draggable between its days, once the browser is idle. */
export const useDragDays = (table: RefObject<HTMLElement | null>, hasMovable: boolean) => {
  const move = useMove();
  const onMoved = useEffectEvent((id: string, day: string) => move(id, day));
  useEffect(() => {
    const element = table.current;
    if (!hasMovable || !element) return;
    let stop: (() => void) | undefined;
    let isUnmounted = false;
    whenIdle(() => {
      // Without it, for example offline, the button still works.
      void import('#src/features/bookings/drag-days.ts')
        .then(({ dragDays }) => {
          if (!isUnmounted) stop = dragDays(element, (id, day) => onMoved(id, day));
        })
        .catch(() => undefined);
    });
    return () => {
      isUnmounted = true;
      stop?.();
    };
  }, [table, hasMovable]);
};
