import type { ContentDocument } from '#contract/entities/content.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { noteServerAttempt, startAttempt } from '#src/offline/kinds/attempt/commands.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

export type Loaded<T> = { ok: true; value: T } | { ok: false; offline: boolean; message: string };

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
    const kept = (await db.contents.where('id').equals(contentId).toArray()).sort((a, b) => b.version - a.version)[0];
    if (kept && (version === undefined || kept.version === version)) return { ok: true, value: kept.document };
    return {
      ok: false,
      offline: true,
      message: 'This course is not on this device yet. Open it once with a connection, or make it available offline.',
    };
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

/** Closes an attempt and starts the course again; returns the new attempt. Online only, so that two devices do not both do it. */
export const retakeCourse = async (db: PersonDb, attemptId: string): Promise<Loaded<string>> => {
  const answer = await call('POST /retake_attempt/{id}', { params: { id: attemptId } });
  if (answer.kind === 'unreachable')
    return { ok: false, offline: true, message: 'You need a connection to take a course again, so that it is not started on two devices.' };
  if (answer.kind === 'refused') return { ok: false, offline: false, message: texts.errorCreatingAttempt };
  await db.attempts.update(attemptId, { closed: true });
  await noteServerAttempt(db, answer.data);
  return { ok: true, value: answer.data.id };
};
