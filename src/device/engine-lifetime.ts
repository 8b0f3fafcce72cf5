import { useSyncExternalStore } from 'react';
import { currentUser, watchSession } from '#src/access/session.ts';
import { observable } from '#src/lib/observable.ts';
import { keepReplaying } from '#src/offline/engine.ts';
import type { ReplayStatus } from '#src/offline/ports.ts';
import { whenAsked, whenCommitted } from '#src/offline/outbox/commit.ts';
import { askAgainWhereAgreed } from '#src/offline/outbox/resolve.ts';
import { forgetNames } from '#src/offline/keys/key-record.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';

/** The sync engine of the signed-in person: started at sign-in, stopped at sign-out or when the person changes. */
const status = observable<ReplayStatus>('idle');
let running: { personId: string; engine: ReturnType<typeof keepReplaying> } | null = null;

/** Stops sending, because the person is locked or signs out. */
export const stopEngine = (): void => {
  running?.engine.stop();
  running = null;
  status.set('idle');
};

const follow = () => {
  const person = currentUser();
  if (running && running.personId === person?.uuid) return;
  stopEngine();
  if (!person) return;
  running = { personId: person.uuid, engine: keepReplaying(person.uuid, status.set) };
  void deviceDb()
    .people.put({ id: person.uuid, last_at: new Date().toISOString() })
    .catch(() => undefined);
  void forgetNames().catch(() => undefined);
};

let following = false;
/** Follows the session and sends for the person who is signed in and unlocked. Safe to call more than once. */
export const startEngine = () => {
  if (following) {
    follow();
    return;
  }
  following = true;
  // Background sync can wake the worker when the connection returns, even with no page open.
  whenCommitted(() => {
    void navigator.serviceWorker
      ?.getRegistration()
      .then((r) =>
        (r as (ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }) | undefined)?.sync?.register('lantern-outbox'),
      )
      .catch(() => undefined);
  });
  // What was chosen here while the refusal was on its way may agree with the other side by now.
  whenAsked((db, lane) => askAgainWhereAgreed(db, lane).catch(() => undefined));
  watchSession(follow);
  follow();
};

/** Tries to send everything now. */
export const sendNow = async (): Promise<void> => {
  await running?.engine.wake();
};

export const useReplayStatus = (): ReplayStatus => useSyncExternalStore(status.subscribe, status.get);
