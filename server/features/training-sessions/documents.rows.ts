import type { SessionDocument } from '#contract/entities/session-document.ts';
import { existing, reference } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';

const file = sql`'id', f.id, 'name', f.name, 'ending', f.ending, 'bytes', f.bytes`;
const byName = sql`lower(f.name), f.id`;

/** The documents of a session `t` for the people on its list. */
export const documentsForDelegates: Statement = sql`coalesce((select json_agg(json_build_object(${file}) order by ${byName})
  from session_documents f where f.session_id = t.id and f.audience = 'delegates'), '[]')`;

/** The documents of a session. */
export const documentsOfSession = async (on: Db, session: string): Promise<SessionDocument[]> =>
  (
    await on.all<{
      document: SessionDocument;
    }>(sql`select json_build_object(${file}, 'audience', f.audience, 'added_by', ${reference('person_names', sql`f.added_by`)},
        'added_at', ${instant(sql`f.added_at`)}, 'in_following', exists (select 1 from session_documents o join training_sessions s on s.id = o.session_id
          where o.shared_id = f.shared_id and (s.date, s.id) > (t.date, t.id))) as document
      from session_documents f join training_sessions t on t.id = f.session_id where f.session_id = ${session} order by ${byName}`)
  ).map((row) => row.document);

/** Where the file of a document is stored, and how it is served. */
export type StoredDocument = { hash: string; name: string; ending: string; type: string; bytes: number };
export const storedDocument = async (on: Db, id: string): Promise<StoredDocument> =>
  existing(await on.one<StoredDocument>(sql`select hash, name, ending, type, bytes::float8 as bytes from session_documents where id = ${id}`));
