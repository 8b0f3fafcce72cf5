import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import {
  copyDelegates,
  createTrainingSession,
  changeTrainingSession,
  listTrainingSessions,
  noteAnswer,
  reopenRegister,
  seesSessions,
} from '#contract/api/training-sessions.ts';
import { cancelOwnBooking, ownBookings } from '#contract/api/bookings.ts';
import { can, type Need } from '#contract/can.ts';
import { sorts } from '#contract/api/sorts.ts';
import { OpenEvaluation } from '#contract/entities/evaluation.ts';
import {
  Cancellation,
  type Delegate,
  DelegatesGiven,
  type Register,
  SessionDelegate,
  sessionFilters,
  type SessionRow,
  TrainingSession,
  TrainingSessionInput,
} from '#contract/entities/training-session.ts';
import { answerState } from '#contract/rules/delegate-answer.ts';
import { currentMark, isOnRegister } from '#contract/rules/register.ts';
import { existing } from '#server/db/rows.ts';
import { delegatesOf } from '#server/features/training-sessions/delegates.service.ts';
import { openEvaluations } from '#server/features/training-sessions/evaluations.rows.ts';
import { ownBookingsOf } from '#server/features/training-sessions/own-bookings.service.ts';
import { registerQueued } from '#server/features/training-sessions/queued.ts';
import { delegateOf, registerOf, sessionOfDelegate, sessionPage } from '#server/features/training-sessions/registers.rows.ts';
import { sessionsOf } from '#server/features/training-sessions/sessions.service.ts';
import { builder, type GraphContext, idOf, inNames, page, paginator, signedIn } from '#server/graphql/builder.ts';
import { graphInput, graphType } from '#server/graphql/entity-types.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { read } from '#server/validation.ts';

const byOf = (context: GraphContext, need: Need) => ({ actor: signedIn(context, need), request: context.request });
/** Absent arguments are not filters. */
const presentArgs = (args: object) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined));

/** A session with the graph's field names. */
const graphSession = (session: Register | SessionRow): TrainingSession => ({
  ...session,
  trainerId: session.trainer.id,
  cancelled: session.cancelled !== null,
  cancellation_reason_id: session.cancelled?.reason_id ?? null,
  cancellation_notes: session.cancelled?.notes ?? '',
  completed: session.completed !== null,
  incomplete: session.incomplete !== null,
  release_certificates: !session.certificates_withheld,
});
const graphDelegate = (session: string, d: Pick<Delegate, 'id' | 'user' | 'name' | 'removed' | 'answer'>, now: Date): SessionDelegate => ({
  ...{ id: d.id, training_session_id: session, user: d.user, name: d.name },
  accepted: d.removed === null && answerState(d.answer, now.toISOString()) === 'accepted',
  declined: d.removed?.declined === true,
  deleted: d.removed !== null,
  reason: d.removed?.why ?? '',
});

/** Training sessions and the people on their lists. */
export const sessionsGraph = () => {
  const DelegateType = graphType('Delegate', SessionDelegate, {
    description: 'Somebody on the list of a training session.',
    about: { deleted: 'Taken off the list, by themselves (then declined as well) or by others.', user: 'Null where only a name was noted.' },
  });
  const Session = graphType('TrainingSession', TrainingSession, {
    description: 'A training session: one day of face-to-face or virtual training.',
    about: {
      ...{
        course: 'Ours.',
        entity: 'Ours: who gives it.',
        trainer: 'Ours.',
        external_trainer: 'Ours.',
        joining_link: 'Ours.',
        pass_mark: 'Ours.',
        bring: 'Ours.',
      },
      release_certificates: 'False while its certificates wait until they are released.',
      incomplete: 'Its register was completed, and is marked as incomplete until it is completed again.',
    },
    more: (t) => ({
      delegates: t.field({
        ...{ type: [DelegateType], description: 'Ours: its list, also who was taken off it.' },
        resolve: async ({ id }, _, context) => {
          const { db, now } = context.services;
          return (await registerOf(db, signedIn(context, seesSessions), id)).delegates.map((d) => graphDelegate(id, d, now()));
        },
      }),
    }),
  });
  const Sessions = paginator(Session);
  const Given = graphType('DelegatesGiven', DelegatesGiven, {
    description: 'Ours: who of those copied has a place, who waits for one, and who was there already.',
  });
  const Input = graphInput(
    'TrainingSessionInput',
    TrainingSessionInput,
    'Without id a new session of the caller’s organisation, which needs course_id. A field that is left out stays as it is. `cancelled` calls it off, for a reason.',
  );
  const one = async (result: Promise<Register>) => graphSession(await result);

  const Open = graphType('OpenEvaluation', OpenEvaluation, {
    description: 'Ours: a training session that somebody attended and has given no feedback on yet.',
    about: { id: 'Of their place on it.', course: 'Its title.', until: 'Until when they can give feedback.' },
  });

  builder.queryFields((t) => ({
    openEvaluations: t.field({
      type: [Open],
      description: 'Ours: the training sessions that the signed-in person attended and can still give feedback on, the latest first; three at most.',
      resolve: async (_, __, context) => {
        const { user } = signedIn(context);
        return can(user, ownBookings.access) ? openEvaluations(context.services.db, user.uuid, context.services.now()) : [];
      },
    }),
    training_sessions: t.field({
      type: Sessions,
      description: 'The training sessions of the caller’s organisation and below it, and those that the caller gives.',
      args: {
        ...{ first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
        when: t.arg.string({ description: `Ours: ${sessionFilters.join(', ')}; all where nothing is said.` }),
        mine: t.arg.boolean({ description: 'Ours: only those that the caller gives.' }),
        ...{ course: t.arg.id({ description: 'Ours.' }), trainer: t.arg.id({ description: 'Ours.' }) },
        ...{ from: t.arg.string({ description: 'Ours: from this day, YYYY-MM-DD.' }), until: t.arg.string({ description: 'Ours: until this day.' }) },
        sort: t.arg.string({ description: `Ours: ${sorts.sessions.join(' or ')}; a minus before it turns the order round.` }),
      },
      resolve: async (_, { first, page: no, mine, when, ...filters }, context) => {
        const actor = signedIn(context, seesSessions);
        const paging = page({ first, page: no });
        const query = { ...presentArgs(filters), when: when ?? 'all', ...(mine ? { mine: 'true' } : {}), page: paging.page, per_page: paging.first };
        const { db, now } = context.services;
        const { data, meta } = await sessionPage(db, actor, existing(read(listTrainingSessions.query, query)), now());
        return { data: data.map(graphSession), total: meta.total, ...paging };
      },
    }),
  }));

  builder.mutationFields((t) => ({
    upsertTrainingSession: t.field({
      type: Session,
      description: 'Plans a training session (needs permission booking.create), or changes or cancels one (booking.update).',
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_, { input }, context) =>
        inNames({ trainer_id: 'trainerId', notes: 'cancellation_notes' }, async () => {
          const { id, cancelled, cancellation_reason_id, cancellation_notes, following, trainerId, course_id, ...planned } = existing(
            read(TrainingSessionInput, input),
          );
          const sessions = sessionsOf(context.services);
          const plan = { ...planned, ...(trainerId ? { trainer_id: trainerId } : {}) };
          if (id === undefined) {
            const by = byOf(context, 'booking.create');
            if (cancelled) throw invalid('cancelled', 'A session is planned before it is cancelled.');
            const empty = { room: '', aim: '', maxDelegates: null, grading_method: 'attendance' };
            return one(sessions.create(by, existing(read(createTrainingSession.body, { ...empty, ...plan, course_id }))));
          }
          const by = byOf(context, 'booking.update');
          const then = following === undefined ? {} : { following };
          const { db } = context.services;
          const before = await registerOf(db, by.actor, id);
          if (course_id && course_id !== before.course.id)
            throw invalid('course_id', 'The course of a session stays. Cancel it and plan another one.');
          if (cancelled === false && before.cancelled) throw invalid('cancelled', 'A session that is cancelled stays so. Plan another one.');
          const off = cancelled && !before.cancelled;
          const reason = off
            ? existing(read(Cancellation, { cancellation_reason_id: cancellation_reason_id ?? null, notes: cancellation_notes ?? '', ...then }))
            : null;
          const change = Object.keys(plan).length > 0 ? existing(read(changeTrainingSession.body, { ...plan, ...then })) : null;
          if (change && reason) return one(sessions.changeAndCancel(by, id, change, reason));
          if (change) return one(sessions.change(by, id, change));
          return reason ? one(sessions.cancel(by, id, reason)) : graphSession(before);
        }),
    }),
    completeTrainingSession: t.field({
      type: Session,
      description:
        'Completes the register of a session on which everybody is noted (needs permission delegate.mark); with `incomplete` marks it as incomplete, for a reason, and with `release_certificates` releases its certificates (booking.update).',
      args: {
        id: t.arg.id({ required: true }),
        incomplete: t.arg.boolean(),
        reason: t.arg.string({ description: 'Ours: why it is incomplete.' }),
        release_certificates: t.arg.boolean(),
        note: t.arg.string({ description: 'Ours: a note about the session.' }),
      },
      resolve: async (_, { id: asked, incomplete, reason, release_certificates, note }, context) => {
        const id = idOf(asked);
        const { db, now } = context.services;
        const sessions = sessionsOf(context.services);
        if (incomplete)
          return one(sessions.reopen(byOf(context, 'booking.update'), id, existing(read(reopenRegister.body, { reason: reason ?? '' })).reason));
        if (release_certificates) return one(sessions.releaseCertificates(byOf(context, 'booking.update'), id));
        const actor = signedIn(context, 'delegate.mark');
        const register = await registerOf(db, actor, id);
        if (register.completed) return graphSession(register);
        const on = register.delegates.filter(isOnRegister);
        const open = on.filter((d) => currentMark(d) === null).length;
        if (open > 0) throw invalid('id', `${open === 1 ? '1 person is' : `${open} people are`} not noted yet: note for each whether they are here.`);
        const noted = existing(
          read(z.object({ note: z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2000 characters.')) }), { note: note ?? '' }),
        );
        const args = { marks: on.flatMap((d) => currentMark(d)?.id ?? []), note: noted.note, method: 'signed_in' as const, drawing: null };
        const change = { id: randomUUID(), version: 1 as const, at: now().toISOString(), command: 'register.complete' as const, args };
        const { current, failure } = await registerQueued(context.services)(actor, id, [change]);
        if (failure) throw new ProductError(failure.code, { message: failure.message });
        return graphSession(existing(current));
      },
    }),
    updateDelegate: t.field({
      type: DelegateType,
      description:
        'Changes the state of somebody on a list, one change at a time: `accepted` or `declined`, by themselves (needs permission booking.own) or noted for them (booking.update or delegate.mark); `deleted`, taken off (delegate.remove); `restored`, put on again (booking.create).',
      args: {
        id: t.arg.id({ required: true }),
        ...{ accepted: t.arg.boolean(), declined: t.arg.boolean(), deleted: t.arg.boolean(), restored: t.arg.boolean() },
        reason: t.arg.string({ description: 'Ours: why they decline.' }),
      },
      resolve: async (_, { id: asked, accepted, declined, deleted, restored, reason: words }, context) => {
        const id = idOf(asked);
        const changeKinds = Object.entries({ accepted, declined, deleted, restored }).flatMap(([what, is]) => (is ? [what] : []));
        const [what, another] = changeKinds;
        if (!what || another) throw invalid(another ?? 'accepted', 'Say one of accepted, declined, deleted and restored.');
        const { db, now } = context.services;
        const actor = signedIn(context);
        const found = await sessionOfDelegate(db, id, actor);
        const reason = words ?? '';
        const sessions = sessionsOf(context.services);
        const ownService = ownBookingsOf(context.services);
        const themselves = found.mine && can(actor.user, 'booking.own');
        await inNames({ answer: what, delegate: what }, async () => {
          if (what === 'deleted') await sessions.removeDelegate(byOf(context, 'delegate.remove'), found.session_id, id);
          else if (what === 'restored') await sessions.restoreDelegate(byOf(context, 'booking.create'), found.session_id, id);
          else if (!themselves) {
            const body = existing(read(noteAnswer.body, { answer: what, reason }));
            await sessions.noteAnswer(byOf(context, ['booking.update', 'delegate.mark']), found.session_id, id, body);
          } else if (what === 'accepted') await ownService.accept(actor, id);
          else await ownService.cancel(byOf(context, 'booking.own'), id, existing(read(cancelOwnBooking.body, { reason })).reason);
        });
        return graphDelegate(found.session_id, await delegateOf(db, id), now());
      },
    }),
    copyDelegates: t.field({
      type: Given,
      description:
        'Copies the people on the list of a session, all or some, to that of another session of the same provider. With `waiting`, people without a place join its waiting list; otherwise nobody is added. Needs permission booking.create.',
      args: {
        id: t.arg.id({ required: true, description: 'The session whose list it is.' }),
        training_session_id: t.arg.id({ required: true, description: 'The session that they are put on.' }),
        delegate_ids: t.arg.idList({ description: 'Ours: only these of the list.' }),
        waiting: t.arg.boolean({ description: 'Ours.' }),
      },
      resolve: (_, { id, training_session_id, delegate_ids, waiting }, context) => {
        const by = byOf(context, 'booking.create');
        const session_id = idOf(training_session_id, 'training_session_id');
        const body = existing(read(copyDelegates.body, { session_id, delegate_ids: delegate_ids?.map(String) ?? null, waiting: waiting ?? false }));
        return inNames({ session_id: 'training_session_id' }, () => delegatesOf(context.services).copy(by, idOf(id), body));
      },
    }),
  }));
};
