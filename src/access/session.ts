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
 * The signed-in person on this device. The stored person lets the app open offline; the server's session decides what may
 * be read and sent.
 */
const saved = storedValue<AuthUser>('authUser');
const actingAs = storedValue<EntityRef>('actingAs');
const graphActingAs = storedValue<string>('graphQLActingAs');

let ended = false;
/** Whether the server ended the session while somebody used the app: the sign-in page explains why it is shown. */
export const sessionHasEnded = (): boolean => ended;
export const noteSessionEnded = (to: boolean): void => {
  ended = to;
};
export const currentUser = (): AuthUser | null => saved.get();
export const useSession = (): AuthUser | null => useSyncExternalStore(saved.subscribe, saved.get);
export const watchSession = saved.subscribe;

/** The organisation the person acts for, if not their own. */
const actedFor = (): EntityRef | null => {
  const [user, place] = [saved.get(), actingAs.get()];
  return user && place && place.id !== user.primary_entity.id ? place : null;
};
export const currentActingAs = actedFor;
export const useActingAs = (): EntityRef | null => useSyncExternalStore(actingAs.subscribe, actedFor);
/** Acts for an organisation in every tab; null returns to the person's own. The server checks it on each call. */
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

// Now, and in every tab when the person changes.
const tellTimes = () => showTimesOf(saved.get()?.time_zone);
tellTimes();
saved.subscribe(tellTimes);

/**
 * The person who signed in without a connection, until the server has confirmed it: until then nothing is read or sent, because the
 * browser may still hold the session of somebody else.
 */
const hereOnly = storedValue<string>('signedInHere');
/** The signed-in person if the server has not confirmed their sign-in yet. */
export const unconfirmedPerson = (): string | null => {
  const user = saved.get();
  return user && hereOnly.get() === user.uuid ? user.uuid : null;
};

/** A person whose session ended without their doing: the sign-in page may name them until anybody signs in. */
const expected = storedValue<Pick<AuthUser, 'uuid' | 'name' | 'email'>>('expectedBack');
export const useExpected = () => useSyncExternalStore(expected.subscribe, expected.get);
export const expectNobody = (): void => expected.set(null);
/** Lets the sign-in page name the signed-in person, who has to sign in again. Call it before their session is forgotten. */
export const expectBack = (): void => {
  const user = saved.get();
  if (user) expected.set({ uuid: user.uuid, name: user.name, email: user.email });
};

/** The owner of this device while somebody else holds it to sign. Only the owner ends it. */
export const handedOver = storedValue<string>('handedOver');

/** Stores the person; acting for an organisation ends. */
const keep = (user: AuthUser) => {
  saved.set(user);
  if (!actingAs.get()) actFor(null);
};

/** Signs in. Returns the person or the server's answer. */
export const signIn = async (credentials: { email: string; password: string; restricted_access_password?: string; second_step_code?: string }) => {
  // Otherwise ending the previous session could end the new one.
  if ((await finishSession()) === 'unreachable') return { kind: 'unreachable', reason: 'offline' } as const;
  const result = await call('POST /login', { body: credentials }, { quiet: true });
  if (result.kind === 'ok') {
    keepSignedIn(result.data);
  }
  return result;
};

/** Stores the person after any kind of sign-in. */
export const keepSignedIn = (user: AuthUser): void => {
  // Signing in has ended the previous session on the server.
  ending.set(null);
  hereOnly.set(null);
  begin(user);
};

/** Stores the person as the server knows them now, after it has confirmed a sign-in that was made here. */
export const confirmSignedIn = (user: AuthUser): void => {
  ending.set(null);
  hereOnly.set(null);
  keep(user);
};

/** Stores a person whom this device knows, without a connection. A session that is left on the server is still ended first. */
export const keepSignedInHere = (user: AuthUser): void => {
  hereOnly.set(user.uuid);
  begin(user);
};

const begin = (user: AuthUser) => {
  expected.set(null);
  handedOver.set(null);
  actingAs.set(null);
  keep(user);
};

/** Reloads the person, whose permissions or password may have changed. */
export const reloadUser = async () => {
  const result = await call('GET /auth/user', {}, { quiet: true });
  if (result.kind === 'ok') keep(result.data);
  return result;
};

/** Removes the person from this device, except unsent work, which is in their own database. */
export const forgetSession = () => {
  if ('caches' in window) void caches.delete(lastKnownCacheName);
  localStorage.removeItem('token');
  actingAs.set(null);
  graphActingAs.set(null);
  saved.set(null);
  hereOnly.set(null);
  handedOver.set(null);
  forgetCsrfToken();
};

/** Whether a server session still has to be ended. */
const ending = storedValue<true>('sessionEnding');

type Ended = 'ended' | 'unreachable' | 'refused';
let finishing: Promise<Ended> | null = null;

/** Ends the server session. When offline, this is retried at the next start or reconnection. */
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

/**
 * Removes the person here immediately, then ends their server session, now or as soon as the server can be reached. `comesBack`: they sign
 * in again at once, and the sign-in page may name them.
 */
export const endSession = async (comesBack = false): Promise<void> => {
  ending.set(true);
  expected.set(null);
  if (comesBack) expectBack();
  forgetSession();
  await finishSession();
};
