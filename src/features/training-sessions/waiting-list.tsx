import { Button, Title } from '@mantine/core';
import { useEffect } from 'react';
import { can } from '#contract/can.ts';
import type { Register, WaitingPerson } from '#contract/entities/training-session.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/training-sessions/register.module.css';
import { formatMoment } from '#src/lib/format.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

/** The waiting list of a session, with ways to join and leave it. Empty if it is unknown. */
export const useWaitingList = ({ id, rev }: Register, reload: () => Promise<void>) => {
  const sees = can(useSession(), ['booking.create', 'booking.manage', 'booking.update']);
  const { state, retry } = useReadOf<{ people: WaitingPerson[] }>(
    ['waiting', id, sees],
    async (signal) => {
      if (!sees) return { kind: 'ok', data: { people: [] } };
      const answer = await call('GET /training-sessions/{id}/waiting', { params: { id } }, { signal, quiet: true });
      return answer.kind === 'ok' ? { ...answer, data: { people: answer.data } } : answer;
    },
    { keepShown: 'same' },
  );
  // A change of the session may have given somebody a place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the session has changed
  useEffect(retry, [rev]);
  /** Null, or an error message. */
  const done = async (answer: Result<WaitingPerson[]>): Promise<string | null> => {
    retry();
    await reload();
    const named = answer.kind === 'refused' ? Object.values(answer.error.errors ?? {}).flat() : [];
    return answer.kind === 'ok' ? null : named.length > 0 ? named.join(' ') : sentenceOf(answer);
  };
  return {
    people: state.kind === 'loaded' ? state.data.people : [],
    add: async (person: string) => done(await call('POST /training-sessions/{id}/waiting', { params: { id }, body: { user_ids: [person] } })),
    remove: async (waiting: string) => done(await call('DELETE /training-sessions/{id}/waiting/{waiting}', { params: { id, waiting } })),
  };
};

/** The people waiting, in order. */
export const WaitingList = ({ waiting: { people, remove } }: { waiting: ReturnType<typeof useWaitingList> }) => {
  const may = can(useSession(), 'booking.create');
  if (people.length === 0) return null;
  return (
    <section aria-label="Waiting list">
      <Title order={2} size="h4">
        Waiting list
      </Title>
      <ol className={classes.waiting}>
        {people.map((w) => (
          <li key={w.id}>
            <span>
              <strong>{w.user.name}</strong>
              <small className={layout.soft}>
                {[w.place, `put here by ${w.added_by.name}, ${formatMoment(w.added_at)}`].filter(Boolean).join(' · ')}
              </small>
            </span>
            {may && (
              <Button
                variant="subtle"
                color="gray"
                aria-label={`Remove ${w.user.name} from the waiting list`}
                onClick={() => void remove(w.id).then((problem) => problem && notify('error', problem))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
