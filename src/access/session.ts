import { useSyncExternalStore } from 'react';
import type { EntityRef } from '#contract/entities/entity.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { callFor } from '#src/api/acting-as.ts';
import { call } from '#src/api/call.ts';
import { forgetCsrfToken } from '#src/api/transport.ts';
import { lastKnownCacheName } from '#src/offline/cache-names.ts';
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

/** Keeps the person; without an organisation acted for, it is their own. */
const keep = (user: AuthUser) => {
  saved.set(user);
  if (!actingAs.get()) actFor(null);
};

/** Signs in. Answers the person, or what the server says. */
export const signIn = async (credentials: { email: string; password: string; restricted_access_password?: string; second_step_code?: string }) => {
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

/** Tells the server, ignoring failure, and forgets the person here. */
export const endSession = async () => {
  await call('POST /logout', {}, { quiet: true, timeoutMs: 4000 });
  forgetSession();
};
