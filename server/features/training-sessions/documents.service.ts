import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { addSessionDocument, changeSessionDocument } from '#contract/api/session-documents.ts';
import { documentLimits, type SessionDocument } from '#contract/entities/session-document.ts';
import type { Actor } from '#server/actor.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { contentFilesOf } from '#server/features/content-creator/content-files.service.ts';
import { documentsOfSession, type StoredDocument, storedDocument } from '#server/features/training-sessions/documents.rows.ts';
import { lockSessions } from '#server/features/training-sessions/places.service.ts';
import { followingSessions, visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Session = { id: string; entity_id: string; course: string; date: string; cancelled: boolean };
const words = { delegates: 'for delegates', trainers: 'for trainers only' } as const;

/** The documents of training sessions: slides, joining instructions, risk assessments. */
export const documentsOf = (services: Services) => {
  const { db, files, now } = services;
  const uploads = contentFilesOf(services);
  /** A session that the actor sees, or 404. */
  const sessionAt = async (on: Db, actor: Actor, id: string): Promise<Session> =>
    existing(
      await on.one<Session>(sql`select t.id, t.entity_id, t.date::text as date, t.cancelled_at is not null as cancelled,
        (select k.title from course_titles k where k.id = t.course_id) as course from training_sessions t where t.id = ${id} and ${visibleSession(actor)}`),
    );
  /** A session and, if requested, the following ones of its series, locked. */
  const sessionsFrom = async (tx: Db, { actor }: By, id: string, following: boolean | undefined): Promise<Session[]> => {
    await sessionAt(tx, actor, id);
    const ids = [id, ...(following ? await followingSessions(tx, id) : [])];
    await lockSessions(tx, ids);
    const sessions: Session[] = [];
    for (const one of ids) sessions.push(await sessionAt(tx, actor, one));
    return sessions;
  };
  const note = (tx: Db, by: By, { id, entity_id, course, date }: Session, after: Record<string, unknown>) =>
    noteChange(tx, by, now(), { entityId: entity_id, action: 'updated', subject: { kind: 'session', id, name: `${course}, ${date}` }, after });
  /** Applies `work` to a document in its session and in the following ones that share it. */
  const change = (
    by: By,
    id: string,
    document: string,
    following: boolean | undefined,
    work: (tx: Db, session: string, shared: string, before: SessionDocument) => Promise<Record<string, unknown>>,
  ): Promise<SessionDocument[]> =>
    db.tx(async (tx) => {
      const sessions = await sessionsFrom(tx, by, id, following);
      const before = existing((await documentsOfSession(tx, id)).find((d) => d.id === document));
      const { shared_id } = existing(await tx.one<{ shared_id: string }>(sql`select shared_id from session_documents where id = ${document}`));
      for (const session of sessions) {
        const has =
          session.id === id || (await tx.one(sql`select 1 from session_documents where session_id = ${session.id} and shared_id = ${shared_id}`));
        if (has) await note(tx, by, session, await work(tx, session.id, shared_id, before));
      }
      return documentsOfSession(tx, id);
    });

  return {
    list: async (actor: Actor, id: string): Promise<SessionDocument[]> => {
      await sessionAt(db, actor, id);
      return documentsOfSession(db, id);
    },
    /** Inspects an uploaded file, stores it, and adds it to a session and to the following ones. */
    add: async (by: By, id: string, { upload_id, name, audience, following }: BodyOf<typeof addSessionDocument>): Promise<SessionDocument[]> => {
      await sessionAt(db, by.actor, id);
      return uploads.document(by.actor, upload_id, async (path, is) => {
        const storedFile = await files.putStream(createReadStream(path));
        return db.tx(async (tx) => {
          const sessions = await sessionsFrom(tx, by, id, following);
          if (sessions[0]?.cancelled) throw new ProductError('session_over', { message: 'This session is cancelled.' });
          // Two concurrent requests with the same file add it once.
          existing(await tx.one(sql`select 1 from content_uploads where id = ${upload_id} for update`));
          await uploads.forget(tx, by.actor, upload_id);
          const shared_id = randomUUID();
          for (const session of sessions) {
            const there = await documentsOfSession(tx, session.id);
            if (there.length >= documentLimits.perSession)
              throw invalid(
                'upload_id',
                `${session.id === id ? 'This session' : `The session on ${session.date.split('-').toReversed().join('/')}`} has ${there.length} documents, which is the most. Remove one first.`,
              );
            const added = { added_by: by.actor.user.uuid, added_at: now() };
            await tx.run(
              insertRow('session_documents', { id: randomUUID(), session_id: session.id, shared_id, name, audience, ...is, ...storedFile, ...added }),
            );
            await note(tx, by, session, { document_added: `${name}, ${words[audience]}` });
          }
          return documentsOfSession(tx, id);
        });
      });
    },
    change: (by: By, id: string, document: string, { following, ...to }: BodyOf<typeof changeSessionDocument>): Promise<SessionDocument[]> =>
      change(by, id, document, following, async (tx, session, shared, before) => {
        // It now has a new audience, which is notified as of a new document.
        const others = to.audience !== undefined && to.audience !== before.audience ? { told_at: null } : {};
        const values = { ...to, ...others };
        if (Object.keys(values).length > 0) await updateRows(tx, 'session_documents', values, sql`session_id = ${session} and shared_id = ${shared}`);
        const after = { ...before, ...to };
        return { document_changed: `${after.name}, ${words[after.audience]}` };
      }),
    remove: (by: By, id: string, document: string, following: boolean | undefined): Promise<SessionDocument[]> =>
      change(by, id, document, following, async (tx, session, shared, before) => {
        await tx.run(sql`delete from session_documents where session_id = ${session} and shared_id = ${shared}`);
        return { document_removed: before.name };
      }),
    /** A document of a session, for its trainer and the office. */
    stored: async (actor: Actor, id: string, document: string): Promise<StoredDocument> => {
      await sessionAt(db, actor, id);
      existing(await db.one(sql`select 1 from session_documents where id = ${document} and session_id = ${id}`));
      return storedDocument(db, document);
    },
  };
};
