import { type ErrorCode, errors } from '#contract/errors.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import {
  confirmSignedIn,
  currentUser,
  expectBack,
  finishSession,
  forgetSession,
  keepSignedInHere,
  noteSessionEnded,
  unconfirmedPerson,
} from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { forgetCsrfToken } from '#src/api/transport.ts';
import { sendNow, stopEngine } from '#src/device/engine-lifetime.ts';
import { finishLeaving } from '#src/device/leaving.ts';
import { leavingMark, noteLeavingHere } from '#src/device/leaving-mark.ts';
import { noteLock } from '#src/device/lock.ts';
import { setLocked } from '#src/device/lock-hint.ts';
import { keepProfileKey } from '#src/device/password-here.ts';
import { noteSignInProblem } from '#src/device/sign-in-problem.ts';
import { forgetKnown, openKnown } from '#src/offline/keys/known-people.ts';
import { forgetPassword, openKey, recoveryOf, type Unlocked, unlockWithPasswordKey } from '#src/offline/keys/keyring.ts';

/**
 * Signing in without a connection, for people whom this device knows (docs/decisions/121).
 *
 *   address and password open what the device knows of a person ─▶ they work; nothing is read or sent
 *     ─▶ the server is reached: the session before is ended, then it is asked for a session with the same address and password
 *          accepted ─▶ as after any sign-in        refused ─▶ signed out; work that was not sent stays, encrypted
 *          the page was loaded again since, so the password is gone ─▶ the person is asked for it once more
 */
type Typed = { personId: string; email: string; password: string };
let typed: Typed | null = null;

const typedLock = 'lantern-sign-in-here';
let releaseLock: () => void = () => undefined;
/** Keeps the password until the server has answered; other tabs know that one has it. */
const keepTyped = (value: Typed | null) => {
  releaseLock();
  typed = value;
  if (value)
    void navigator.locks?.request(
      typedLock,
      () =>
        new Promise<void>((resolve) => {
          releaseLock = resolve;
        }),
    );
};
const anotherTabAsks = async (): Promise<boolean> => (await navigator.locks?.query())?.held?.some(({ name }) => name === typedLock) === true;

/** Signs in a person whom this device knows. Returns the person, or why it did not open. */
export const signInHere = async (
  email: string,
  password: string,
): Promise<{ kind: 'open'; user: AuthUser } | Exclude<Unlocked, { kind: 'open' }>> => {
  const opened = await openKnown<AuthUser>(email, password);
  if (opened.kind !== 'open') return opened;
  const user = opened.profile;
  keepTyped({ personId: user.uuid, email, password });
  keepSignedInHere(user);
  const open = (await openKey(user.uuid)) || (await unlockWithPasswordKey(user.uuid, opened.key));
  await noteLock(user.uuid);
  setLocked(!open);
  await keepProfileKey(user.uuid, opened.profileKey).catch(() => undefined);
  return { kind: 'open', user };
};

/** Answers that say nothing about the person: asked again later. */
const saysNothing = (status: number) => status === 429 || status >= 500 || status === errors.csrf_mismatch.status;
const pauseMs = 2000;
let nextAt = 0;

const askServer = async (): Promise<boolean> => {
  // Waited for, and not refused: nothing else would ask once the connection is back within the pause.
  const pause = nextAt - Date.now();
  if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  const user = currentUser();
  if (!user) return false;
  nextAt = Date.now() + pauseMs;
  if (typed?.personId !== user.uuid && (await anotherTabAsks())) return false;
  if ((await finishSession()) === 'unreachable') return false;
  forgetCsrfToken();
  if ((await call('GET /sanctum/csrf-cookie', {}, { quiet: true, timeoutMs: 8000 })).kind === 'unreachable') return false;
  if (unconfirmedPerson() !== user.uuid) return unconfirmedPerson() === null;
  if (typed?.personId !== user.uuid) {
    noteSessionEnded(true);
    expectBack();
    forgetSession();
    return false;
  }
  const { email, password } = typed;
  const answer = await call('POST /login', { body: { email, password } }, { quiet: true, timeoutMs: 15_000 });
  if (answer.kind === 'unreachable' || currentUser()?.uuid !== user.uuid) return false;
  if (answer.kind === 'refused' && saysNothing(answer.status)) return false;
  keepTyped(null);
  nextAt = 0;
  if (answer.kind === 'ok' && answer.data.uuid === user.uuid) {
    confirmSignedIn(answer.data);
    void sendNow().catch(() => undefined);
    return true;
  }
  const accepted: { code: ErrorCode; message: string } =
    answer.kind === 'refused' ? answer.error : { code: 'wrong_credentials', message: errors.wrong_credentials.message };
  await giveUp(user, accepted.message);
  return false;
};

/** Signs out a person whom the server did not accept. Their unsent work stays here, encrypted; the rest is deleted. */
const giveUp = async (user: AuthUser, why: string): Promise<void> => {
  noteLeavingHere();
  leavingMark.set(user.uuid);
  stopEngine();
  noteSignInProblem(why);
  await forgetKnown(user.uuid).catch(() => undefined);
  // Without the organisation's copy, the former password is the only way back to what waits.
  if (await recoveryOf(user.uuid).catch(() => null)) await forgetPassword(user.uuid).catch(() => undefined);
  forgetSession();
  await finishLeaving();
  location.assign('/login');
};

let asking: Promise<boolean> | null = null;
/** Asks the server about a sign-in that was made here. True once it is confirmed and requests may go. */
export const confirmSignIn = (): Promise<boolean> => {
  if (unconfirmedPerson() === null) return Promise.resolve(true);
  asking ??= askServer()
    .catch(() => false)
    .finally(() => {
      asking = null;
    });
  return asking;
};
