import type { deviceEndpoints } from '#contract/api/devices.ts';
import { protocol } from '#contract/protocol.ts';
import { listedPerson } from '#server/db/seen.ts';
import { contactRows, heldRows } from '#server/features/devices/devices.rows.ts';
import { devicesOf } from '#server/features/devices/devices.service.ts';
import { sealedWorkOf } from '#server/features/devices/sealed-work.service.ts';
import { refusalsOf } from '#server/features/learning/refusals.service.ts';
import { sessionSecret } from '#server/http/origin-cookies.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { failedChanges } from '#server/ledger/failed-changes.ts';
import type { QueuedKinds } from '#server/ledger/kinds.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Devices, their unsent work, and work that could not be accepted: the server's half of "nothing is ever lost". */
export const deviceHandlers = (services: Services, queued: QueuedKinds): HandlersOf<typeof deviceEndpoints> => {
  const { db, sessions } = services;
  const devices = devicesOf(services);
  const sealedWork = sealedWorkOf(services, queued);
  const refusals = refusalsOf(services);
  return {
    checkIn: async ({ body, actor, request }) => {
      const sent = request.headers[protocol.actorHeader.toLowerCase()];
      if (sent !== undefined && sent !== actor.user.uuid) throw new ProductError('actor_mismatch');
      return { data: await devices.checkIn(actor, body) };
    },
    rollCall: async ({ actor }) => ({ data: await contactRows(db, listedPerson(actor)) }),
    recoverKey: async ({ params, body, ...by }) => ({ data: { key: await devices.recoverKey(by, params.id, body) } }),
    importSealedWork: async ({ body, ...by }) => ({ data: await sealedWork.import(by, body) }),
    listHeldWork: async ({ actor }) => ({ data: await heldRows(db, listedPerson(actor)) }),
    decideHeldWork: async ({ params, body, ...by }) => ({ data: await sealedWork.decide(by, params.id, body) }),
    listAllRefusals: async ({ actor }) => ({ data: await refusals.ofOthers(actor) }),
    listFailedChanges: async ({ actor }) => ({
      data: (await failedChanges(db, listedPerson(actor))).map(({ organisation: _, ...change }) => change),
    }),
    askAboutRefusal: async ({ params, body, actor }) => ({ data: await refusals.ask(actor, params.id, body.entry, body.question) }),
    keepRefusalAsEvidence: async ({ params, body, actor }) => ({ data: await refusals.keepAsEvidence(actor, params.id, body.entry) }),
    answerRefusal: async ({ params, body, actor }) => ({ data: await refusals.answer(actor, params.id, body.answer) }),
    lockSession: ({ body, actor }) => sessions.lock(actor.sessionHash, body.unlock_hash),
    unlockSession: ({ body, request }) => devices.unlock(sessionSecret(services, request).secret, body.secret),
  };
};
