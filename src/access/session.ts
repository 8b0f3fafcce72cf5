import { useSyncExternalStore } from 'react';
import type { EntityRef } from '#contract/entities/entity.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { callFor } from '#src/api/acting-as.ts';
import { call } from '#src/api/call.ts';
import { forgetCsrfToken } from '#src/api/transport.ts';
import { lastKnownCacheName } from '#src/offline/cache-names.ts';
import { showTimesOf } from '#src/lib/format.ts';
import { storedValue } from '#src/lib/stored-value.ts';

/**
 * Who is signed in on this device. The saved person makes the app open without a network; the server's cookie decides
 * what may be read and sent.
 */
const saved = storedValue<AuthUser>('authUser');
const actingAs = storedValue<EntityRef>('actingAs');
const graphActingAs = storedValue<string>('graphQLActingAs');

export const currentUser = (): AuthUser | null => saved.get();
export const useSession = (): AuthUser | null => useSyncExternalStore(saved.subscribe, saved.get);
export const watchSession = saved.subscribe;

/** The organisation that the person acts for, where it is not their own. */
const actedFor = (): EntityRef | null => {
  const [user, place] = [saved.get(), actingAs.get()];
  return user && place && place.id !== user.primary_entity.id ? place : null;
};
export const currentActingAs = actedFor;
export const useActingAs = (): EntityRef | null => useSyncExternalStore(actingAs.subscribe, actedFor);
/** Acts for an organisation from now on, in every tab; null: for one's own again. The server checks it at each call. */
export const actFor = (entity: EntityRef | null): void => {
  const user = saved.get();
  if (!user) return;
  const { id, name, slug } = entity ?? user.primary_entity;
  actingAs.set({ id, name, slug });
  graphActingAs.set(id);
};
const tellCalls = () => callFor(actedFor()?.id ?? null);
tellCalls();
saved.subscribe(tellCalls);
actingAs.subscribe(tellCalls);

// Both now and in every tab that learns of another person.
const tellTimes = () => showTimesOf(saved.get()?.time_zone);
tellTimes();
saved.subscribe(tellTimes);

/** Keeps the person; without an organisation acted for, it is their own. */
const keep = (user: AuthUser) => {
  saved.set(user);
  if (!actingAs.get()) actFor(null);
};

/** Signs in. Answers the person, or what the server says. */
export const signIn = async (credentials: { email: string; password: string; restricted_access_password?: string; second_step_code?: string }) => {
  // Else the end of the session before could meet the new one.
  if ((await finishSession()) === 'unreachable') return { kind: 'unreachable', reason: 'offline' } as const;
  const token = await call('GET /sanctum/csrf-cookie', {}, { quiet: true });
  if (token.kind === 'unreachable') return token;
  const result = await call('POST /login', { body: credentials }, { quiet: true });
  if (result.kind === 'ok') {
    keepSignedIn(result.data);
  }
  return result;
};

/** Keeps who has just signed in, by whatever way. */
export const keepSignedIn = (user: AuthUser): void => {
  // The server has ended the former session with it.
  ending.set(null);
  actingAs.set(null);
  keep(user);
};

/** Reads the person anew; their permissions or password may have changed. */
export const reloadUser = async () => {
  const result = await call('GET /auth/user', {}, { quiet: true });
  if (result.kind === 'ok') keep(result.data);
  return result;
};

/** Forgets the person on this device, but nothing they have not sent yet: that lies in their own database. */
export const forgetSession = () => {
  if ('caches' in window) void caches.delete(lastKnownCacheName);
  localStorage.removeItem('token');
  actingAs.set(null);
  graphActingAs.set(null);
  saved.set(null);
  forgetCsrfToken();
};

/** The session with the server is still to be ended: its cookie lies on this device. */
const ending = storedValue<true>('sessionEnding');

type Ended = 'ended' | 'unreachable' | 'refused';
let finishing: Promise<Ended> | null = null;

/** Ends with the server what was ended here. Without a line it stays to be done: at the next start, or when there is one. */
export const finishSession = async (): Promise<Ended> => {
  if (!ending.get()) return 'ended';
  finishing ??= call('POST /logout', {}, { quiet: true, timeoutMs: 4000 })
    .then(({ kind }) => {
      if (kind === 'ok') ending.set(null);
      return kind === 'ok' ? 'ended' : kind;
    })
    .finally(() => {
      forgetCsrfToken();
      finishing = null;
    });
  return finishing;
};

/** Forgets the person here at once, then ends their session with the server: now, or as soon as it can be reached. */
export const endSession = async (): Promise<void> => {
  ending.set(true);
  forgetSession();
  await finishSession();
};
