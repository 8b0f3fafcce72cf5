import { call } from '#src/api/call.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';

type Props = {
  trainer: string;
  date: string;
  from: string;
  to: string;
  course: string | undefined;
  room: string | undefined;
  session: string | undefined;
};
/** Warnings about the trainer and the room of a session being planned; hidden if there are none. */
const Notes = ({ trainer, session, course, room, ...when }: Props) => {
  const query = { ...when, ...(course ? { course } : {}), ...(room ? { room } : {}), ...(session ? { session } : {}) };
  const { state } = useReadOf(['trainer check', trainer, query], (signal) =>
    call('GET /trainers/{trainer}/check', { params: { trainer }, query }, { signal }),
  );
  const notes =
    state.kind === 'loaded'
      ? [
          ...state.data.conflicts.map((c) => `They give ${c.title ? `“${c.title}”` : 'another session'} from ${c.from} to ${c.to} that day.`),
          ...state.data.warnings,
        ]
      : [];
  return (
    notes.length > 0 && (
      <div className={layout.notice} data-tone="warning" role="status">
        <div>
          {notes.map((note) => (
            <p key={note} style={{ margin: 0 }}>
              {note}
            </p>
          ))}
        </div>
      </div>
    )
  );
};

const time = /^([01]\d|2[0-3]):[0-5]\d$/;
/** The same, as soon as trainer and time are known. */
export const TrainerNotes = ({ trainer, ...props }: Omit<Props, 'trainer'> & { trainer: string | undefined }) =>
  trainer && /^\d{4}-\d\d-\d\d$/.test(props.date) && time.test(props.from) && time.test(props.to) && props.from < props.to ? (
    <Notes trainer={trainer} {...props} />
  ) : null;
