import type { ContentDocument } from '#contract/entities/content.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { noteServerAttempt, startAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { fetchTries } from '#src/offline/media/packs.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

export type Loaded<T> = { ok: true; value: T } | { ok: false; offline: boolean; message: string };

const newestKept = async (db: PersonDb, contentId: string) =>
  (await db.contents.where('id').equals(contentId).toArray()).sort((a, b) => b.version - a.version)[0];
const notHere: Loaded<never> = {
  ok: false,
  offline: true,
  message: 'This course is not on this device yet. Open it once with a connection, or make it available offline.',
};

/** A course's content in the requested or latest version; from the device if the server cannot be reached. */
export const loadDocument = async (db: PersonDb, contentId: string, version?: number): Promise<Loaded<ContentDocument>> => {
  if (version !== undefined) {
    const kept = await db.contents.get([contentId, version]);
    if (kept) return { ok: true, value: kept.document };
  }
  const result = await call('GET /content/{id}/document', { params: { id: contentId }, query: { version } }, { timeoutMs: 8000 });
  if (result.kind === 'ok') {
    await db.contents.put({ id: contentId, version: result.data.version, document: result.data, kept_at: new Date().toISOString() });
    return { ok: true, value: result.data };
  }
  if (result.kind === 'unreachable') {
    const kept = await newestKept(db, contentId);
    return kept && (version === undefined || kept.version === version) ? { ok: true, value: kept.document } : notHere;
  }
  return { ok: false, offline: false, message: result.error.code === 'not_found' ? result.error.message : texts.errorLoadingContent };
};

/** Starts or continues a course; returns the attempt to open. */
export const startCourse = async (db: PersonDb, user: AuthUser, contentId: string): Promise<Loaded<string>> => {
  const document = await loadDocument(db, contentId);
  if (!document.ok) return document;
  const missing = document.value.prerequisites.find((g) => !g.prerequisite_contents.some((c) => c.met));
  if (missing) return { ok: false, offline: false, message: `Complete “${missing.prerequisite_contents.map((c) => c.title).join('” or “')}” first.` };
  // The server may know tries that this device does not: begun elsewhere, or closed or removed in the meantime.
  const attempts = (await db.attempts.where('content_id').equals(contentId).toArray()).filter((a) => a.user_id === user.uuid);
  const known = attempts.some((a) => !a.closed)
    ? null
    : await call('GET /users/{id}/attempts', { params: { id: user.uuid }, query: { content_id: contentId } }, { timeoutMs: 4000, quiet: true });
  if (known?.kind === 'ok') for (const attempt of known.data) await noteServerAttempt(db, attempt);
  return { ok: true, value: await startAttempt(db, user, document.value) };
};

/** A completed try that is taken again. `asked`: the version that the person is asked to take, if any. */
type Completed = { id: string; content_id: string; asked?: number | null };
/**
 * Takes a completed course again; returns the new attempt. Without a connection it begins on this device, with the course that is kept here: the
 * next try has the same id on every device, so that a renewal begun elsewhere meanwhile is the same one.
 */
export const retakeCourse = async (db: PersonDb, user: AuthUser, { id, content_id, asked }: Completed): Promise<Loaded<string>> => {
  const answer = await call('POST /retake_attempt/{id}', { params: { id } }, { timeoutMs: 8000 });
  if (answer.kind === 'ok') {
    await db.attempts.update(id, { closed: true });
    await noteServerAttempt(db, answer.data);
    return { ok: true, value: answer.data.id };
  }
  if (answer.kind === 'refused') {
    // Taken again already, here or on another device: it goes on there.
    if (answer.error.code === 'attempt_closed' && (await fetchTries(db, content_id))) return startCourse(db, user, content_id);
    return { ok: false, offline: false, message: texts.errorCreatingAttempt };
  }
  const before = await db.attempts.get(id);
  if (before && before.state !== 'graded')
    return { ok: false, offline: true, message: 'Its result has not been received yet. Take it again once there is a connection.' };
  const kept = await newestKept(db, content_id);
  if (!kept) return notHere;
  if (asked && kept.version < asked)
    return { ok: false, offline: true, message: 'The new version of this course is not on this device yet. Take it once there is a connection.' };
  return { ok: true, value: await startAttempt(db, user, kept.document, { again: true }) };
};
