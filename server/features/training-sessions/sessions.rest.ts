import type { trainingSessionEndpoints } from '#contract/api/training-sessions.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { checkInsOf } from '#server/features/training-sessions/check-ins.service.ts';
import { delegatesOf } from '#server/features/training-sessions/delegates.service.ts';
import { printedRegister } from '#server/features/training-sessions/printed-register.service.ts';
import { registerQueued } from '#server/features/training-sessions/queued.ts';
import { ownRegisters, registerOf, sessionPage } from '#server/features/training-sessions/registers.rows.ts';
import { sessionsOf } from '#server/features/training-sessions/sessions.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const trainingSessionHandlers = (services: Services): HandlersOf<typeof trainingSessionEndpoints> => {
  const { db, now } = services;
  const take = registerQueued(services);
  const sessions = sessionsOf(services);
  const delegates = delegatesOf(services);
  const checkIns = checkInsOf(services);
  const answer = async <R extends Register>(result: Promise<R>) => {
    const register = await result;
    return { data: register, headers: { ETag: `"${register.rev}"` } };
  };
  return {
    listTrainingSessions: ({ query, actor }) => sessionPage(db, actor, query, now()),
    ownRegisters: async ({ actor }) => ({ data: await ownRegisters(db, actor, now()) }),
    getTrainingSession: ({ params, actor }) => answer(registerOf(db, actor, params.id)),
    printedRegister: ({ params, actor }) => printedRegister(services, actor, params.id),
    createTrainingSession: ({ body, ...by }) => answer(sessions.create(by, body)),
    changeTrainingSession: ({ params, body, ...by }) => answer(sessions.change(by, params.id, body)),
    cancelTrainingSession: ({ params, body, ...by }) => answer(sessions.cancel(by, params.id, body)),
    sayWhetherHeld: ({ params, body, ...by }) => answer(sessions.sayWhetherHeld(by, params.id, body.held)),
    reopenRegister: ({ params, body, ...by }) => answer(sessions.reopen(by, params.id, body.reason)),
    releaseCertificates: ({ params, ...by }) => answer(sessions.releaseCertificates(by, params.id)),
    addDelegates: ({ params, body, ...by }) => answer(sessions.addDelegates(by, params.id, body.user_ids)),
    removeDelegate: ({ params, ...by }) => answer(sessions.removeDelegate(by, params.id, params.delegate)),
    restoreDelegate: ({ params, ...by }) => answer(sessions.restoreDelegate(by, params.id, params.delegate)),
    noteAnswer: ({ params, body, ...by }) => answer(sessions.noteAnswer(by, params.id, params.delegate, body)),
    otherSessions: async ({ params, actor }) => ({ data: await delegates.others(actor, params.id) }),
    copyDelegates: async ({ params, body, ...by }) => ({ data: await delegates.copy(by, params.id, body) }),
    transferDelegates: async ({ params, body, ...by }) => ({ data: await delegates.transfer(by, params.id, body) }),
    waitingList: async ({ params, actor }) => ({ data: await sessions.waiting(actor, params.id) }),
    addToWaitingList: async ({ params, body, ...by }) => ({ data: await sessions.wait(by, params.id, body.user_ids) }),
    removeFromWaitingList: async ({ params, ...by }) => ({ data: await sessions.stopWaiting(by, params.id, params.waiting) }),
    matchWalkIn: ({ params, body, ...by }) => answer(sessions.matchWalkIn(by, params.id, params.delegate, body.user_id)),
    updateRegister: ({ params, body, actor, request, reply }) =>
      receive(services, { actor, request, reply }, body.changes, () => take(actor, params.id, body.changes)),
    ownCheckInKeys: async ({ actor }) => ({ data: await checkIns.ownKeys(actor) }),
    getCheckInKey: async ({ params, actor }) => ({ data: await checkIns.key(actor, params.id) }),
    checkInToSession: ({ params, body, actor, request, reply }) =>
      receive(services, { actor, request, reply }, body.changes, () => checkIns.take(actor, params.id, body.changes)),
  };
};
