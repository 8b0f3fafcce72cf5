import { useSyncExternalStore } from 'react';
import { currentUser, watchSession } from '#src/access/session.ts';
import { observable } from '#src/lib/observable.ts';
import { keepReplaying } from '#src/offline/engine.ts';
import type { ReplayStatus } from '#src/offline/ports.ts';
import { whenCommitted } from '#src/offline/outbox/commit.ts';
import { nameKey } from '#src/offline/keys/keyring.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';

/** The engine of whoever is signed in: started with them, stopped when they go or another comes. */
const status = observable<ReplayStatus>('idle');
let running: { personId: string; engine: ReturnType<typeof keepReplaying> } | null = null;

/** Stops sending: the person is locked, or goes. */
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
    .people.put({ id: person.uuid, name: person.name, email: person.email, last_at: new Date().toISOString() })
    .catch(() => undefined);
  void nameKey(person.uuid, person.name).catch(() => undefined);
};

let following = false;
/** Starts following the session, and sending for whoever is signed in and unlocked. Safe to call more than once. */
export const startEngine = () => {
  if (following) {
    follow();
    return;
  }
  following = true;
  // Where the browser can wake the worker when the line is back, it may do so with no page open.
  whenCommitted(() => {
    void navigator.serviceWorker
      ?.getRegistration()
      .then((r) =>
        (r as (ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }) | undefined)?.sync?.register('lantern-outbox'),
      )
      .catch(() => undefined);
  });
  watchSession(follow);
  follow();
};

/** Tries to send everything now. */
export const sendNow = async (): Promise<void> => {
  await running?.engine.wake();
};

export const useReplayStatus = (): ReplayStatus => useSyncExternalStore(status.subscribe, status.get);
