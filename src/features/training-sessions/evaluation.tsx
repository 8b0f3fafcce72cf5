import { Button, Input, Rating, Textarea, Title } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { EvaluationFields, evaluationDays, fewestAnswers } from '#contract/entities/evaluation.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { counts } from '#contract/rules/register.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import documents from '#src/features/training-sessions/documents.module.css';
import { useNow } from '#src/features/training-sessions/use-now.ts';
import { nearDay } from '#src/device/near-day.ts';
import { formatDay } from '#src/lib/format.ts';
import { evaluateSession } from '#src/offline/kinds/feedback/commands.ts';
import { Evaluated } from '#src/screens/evaluated.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { savedHere, savedWords } from '#src/screens/saved-here.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';
import { LoadingState } from '#src/ui/states.tsx';

type Given = Pick<NonNullable<NonNullable<OwnBooking['evaluation']>['given']>, 'course_rating' | 'trainer_rating' | 'message' | 'at'> & {
  received_at: string | null;
};
/** The person's evaluations of these sessions, from this device or the server, whichever is newer. */
const useGiven = (bookings: readonly OwnBooking[]): ReadonlyMap<string, Given> | undefined => {
  const db = usePersonDb();
  const rated = bookings.filter((b) => b.evaluation);
  const ids = rated.map((b) => b.id);
  return useLiveQuery(async () => {
    const stored = await db.feedback.bulkGet(ids);
    return new Map(
      rated.flatMap((booking, i): [string, Given][] => {
        const row = stored[i];
        const [mine, theirs] = [row?.kind === 'evaluation' ? { ...row } : null, booking.evaluation?.given ?? null];
        const newest = mine && theirs ? (mine.at >= theirs.at ? mine : theirs) : (mine ?? theirs);
        return newest ? [[booking.id, newest]] : [];
      }),
    );
  }, [db, ids.join(), rated.map((b) => b.evaluation?.given?.at).join()]);
};

const ratings = [
  ['course_rating', 'The course'],
  ['trainer_rating', 'The trainer'],
] as const;
const Say = ({ booking, given, dialog }: { booking: OwnBooking; given: Given | undefined; dialog: string }) => {
  const db = usePersonDb();
  const fields = useForm({
    schema: EvaluationFields,
    begin: { course_rating: given?.course_rating ?? 0, trainer_rating: given?.trainer_rating ?? 0, message: given?.message ?? '' },
    toInput: ({ course_rating, trainer_rating, message }) => ({
      ...{ course_rating: course_rating || null, trainer_rating: trainer_rating || null, message },
    }),
    save: (values) => savedHere(() => evaluateSession(db, booking, values)),
    success: savedWords,
    onSaved: () => closeModal(dialog),
  });
  return (
    <Form form={fields} label="How was it?" save="Save">
      <FormSection>
        <p style={{ margin: 0 }}>
          {booking.course.name}, {nearDay(booking.date)}, with {booking.external_trainer || booking.trainer.name}. Answer what you like.
        </p>
        {ratings.map(([name, label]) => {
          const { value, onChange, error, ...rest } = fields.field(name);
          return (
            <Input.Wrapper key={name} label={label} error={error} size="md" labelElement="div" role="group" aria-label={label} {...rest}>
              <Rating size="xl" allowClear value={value} onChange={onChange} getSymbolLabel={(n) => `${label}: ${n} of 5`} />
            </Input.Wrapper>
          );
        })}
        <Textarea label="In your words" rows={3} maxLength={2000} {...fields.field('message')} />
        <p className={layout.soft}>
          Your name is not shown with it. The trainer and the office see averages and comments once {fewestAnswers} people have answered. You can
          change it until {evaluationDays} days after the register was finished{booking.evaluation && ` (${formatDay(booking.evaluation.until)})`}.
        </p>
      </FormSection>
    </Form>
  );
};

const saidWords = ({ course_rating, trainer_rating, message }: Given) =>
  [course_rating !== null && `course ${course_rating} of 5`, trainer_rating !== null && `trainer ${trainer_rating} of 5`, message && `“${message}”`]
    .filter(Boolean)
    .join(', ');

/** The sessions that the person attended and can still evaluate, with their evaluations. */
export const HowWasIt = ({ bookings }: { bookings: readonly OwnBooking[] }) => {
  const now = useNow();
  const evaluationsById = useGiven(bookings);
  const open = bookings.filter((b) => b.evaluation && b.evaluation.until > now);
  const [query, setQuery] = useSearchParams();
  const linked = query.get('say');
  const ready = evaluationsById !== undefined && open.some((b) => b.id === linked);
  // The home page links to the form of one of them.
  useEffect(() => {
    if (!ready) return;
    setQuery({}, { replace: true });
    openModal(`how-was-${linked}`);
  }, [ready, linked, setQuery]);
  if (!evaluationsById || open.length === 0) return null;
  return (
    <section className={layout.page} aria-label="How was it?">
      <Title order={2} size="h4">
        How was it?
      </Title>
      <div className={`app-card ${layout.block}`}>
        <ul className={`${layout.lines} ${documents.list}`}>
          {open.map((booking) => {
            const evaluation = evaluationsById.get(booking.id);
            const dialog = `how-was-${booking.id}`;
            return (
              <li key={booking.id}>
                <span>
                  <strong>{booking.course.name}</strong>
                  <small className={layout.soft}>{nearDay(booking.date)}</small>
                  {evaluation && (
                    <small className={layout.soft}>
                      You said: {saidWords(evaluation)}
                      {evaluation.received_at === null && ' · saved on this device, not sent yet'}
                    </small>
                  )}
                </span>
                <Button
                  variant={evaluation ? 'subtle' : 'default'}
                  aria-label={`${evaluation ? 'Change …' : 'How was it? …'} ${booking.course.name}`}
                  onClick={() => openModal(dialog)}
                >
                  {evaluation ? 'Change …' : 'How was it? …'}
                </Button>
                <RegisteredModal name={dialog} title="How was it?" scrollable>
                  {() => <Say booking={booking} given={evaluation} dialog={dialog} />}
                </RegisteredModal>
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
};

/** The evaluation of a session, for its trainer and the office, once its register is finished. */
export const SessionEvaluation = ({ register }: { register: Register }) => {
  const user = useSession();
  const reads = user?.uuid === register.trainer.id || can(user, ['booking.create', 'booking.manage', 'booking.update', 'trainer.create']);
  return counts(register) && reads ? <Found id={register.id} /> : null;
};
const Found = ({ id }: { id: string }) => {
  const { state, retry } = useRead('GET /training-sessions/{id}/evaluation', { params: { id } });
  return (
    <Section title="How it was">
      {state.kind === 'loading' && <LoadingState rows={1} label="Loading how it was" />}
      {state.kind === 'offline' && (
        <p className={layout.soft} role="status">
          How people found it is shown with a connection.
        </p>
      )}
      {state.kind === 'error' && (
        <div className={layout.tools} role="alert">
          <span>{state.message}</span>
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {state.kind === 'loaded' && <Evaluated evaluated={state.data} />}
    </Section>
  );
};
