import '@mantine/core/styles/Combobox.css';
import { Button, Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { SessionRow } from '#contract/entities/training-session.ts';
import { dayWords } from '#contract/rules/days.ts';
import { call } from '#src/api/call.ts';
import { countOf } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import form from '#src/ui/form.module.css';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

const freeOf = ({ maxDelegates, delegates }: SessionRow): number | null => (maxDelegates === null ? null : Math.max(0, maxDelegates - delegates));
const wordsOf = (s: SessionRow): string => {
  const free = freeOf(s);
  const where = [s.venue, s.room].filter(Boolean).join(', ');
  return `${s.course.name}: ${dayWords(s.date)}, ${s.startTime}${where ? `, ${where}` : ''} (${free === null ? 'places free' : `${countOf(free, 'place')} free`})`;
};

type Props = { people: readonly { id: string; name: string }[]; onClose: () => void; onBooked: () => void };
/** Puts selected people on the list of one of the sessions to come that have a place left. */
export const BookPeople = ({ people, onClose, onBooked }: Props) => {
  const { state, retry } = useRead('GET /training-sessions', { query: { when: 'coming', per_page: 100 } });
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const booking = useAction(
    (id: string) => call('POST /training-sessions/{id}/delegates', { params: { id }, body: { user_ids: people.map((p) => p.id) } }),
    {
      success: `${countOf(people.length, 'person is', 'people are')} on the list.`,
      onDone: onBooked,
      onFailed: (errors) => setProblem(Object.values(errors)[0] ?? null),
    },
  );
  const sessions = state.kind === 'here' ? state.thing.filter((s) => !s.cancelled && freeOf(s) !== 0) : [];
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Book ${countOf(people.length, 'person', 'people')} on a session`}
      centered
      closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
      styles={{ title: { fontWeight: 700 } }}
    >
      {state.kind === 'loading' && <LoadingState rows={2} label="Loading the sessions" />}
      {state.kind === 'offline' && <OfflineState what="Booking needs a connection." onRetry={retry} />}
      {state.kind === 'error' && <ErrorState message={state.message} onRetry={retry} />}
      {state.kind === 'here' && sessions.length === 0 && <p>No session with a free place is planned.</p>}
      {sessions.length > 0 && (
        <Stack gap="md">
          <Select
            label="Session"
            placeholder="Choose a session"
            searchable
            data={sessions.map((s) => ({ value: s.id, label: wordsOf(s) }))}
            value={chosen}
            error={problem}
            onChange={(to) => {
              setChosen(to);
              setProblem(null);
            }}
          />
          <div className={form.actions}>
            <Button loading={booking.busy} onClick={() => (chosen ? void booking.run(chosen) : setProblem('Choose a session.'))}>
              Book
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </Stack>
      )}
    </Modal>
  );
};
