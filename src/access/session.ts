import { useSyncExternalStore } from 'react';
import type { AuthUser } from '#contract/entities/user.ts';
import { call } from '#src/api/call.ts';
import { forgetCsrfToken } from '#src/api/transport.ts';
import { lastKnownCacheName } from '#src/offline/cache-names.ts';
import { storedValue } from '#src/lib/stored-value.ts';

/**
 * Who is signed in on this device. The saved person makes the app open without a network; the server's cookie decides
 * what may be read and sent.
 */
const saved = storedValue<AuthUser>('authUser');
const actingAs = storedValue<{ id: string; slug: string }>('actingAs');
const graphActingAs = storedValue<string>('graphQLActingAs');

export const currentUser = (): AuthUser | null => saved.get();
export const useSession = (): AuthUser | null => useSyncExternalStore(saved.subscribe, saved.get);
export const watchSession = saved.subscribe;

/** Keeps the person; without an organisation acted for, it is their own. */
const keep = (user: AuthUser) => {
  saved.set(user);
  if (!actingAs.get()) {
    actingAs.set({ id: user.primary_entity.id, slug: user.primary_entity.slug });
    graphActingAs.set(user.primary_entity.id);
  }
};

/** Signs in. Answers the person, or what the server says. */
export const signIn = async (credentials: { email: string; password: string; restricted_access_password?: string }) => {
  const token = await call('GET /sanctum/csrf-cookie', {}, { quiet: true });
  if (token.kind === 'unreachable') return token;
  const result = await call('POST /login', { body: credentials }, { quiet: true });
  if (result.kind === 'ok') {
    actingAs.set(null);
    keep(result.data);
  }
  return result;
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
