import type { AttemptChange } from '#contract/commands/attempt-commands.ts';
import type { H5pFacts, ScormFacts, ScormItem } from '#contract/entities/package-work.ts';
import { h5pFactsOf, mergeH5pFacts } from '#contract/rules/h5p-facts.ts';
import { mergeScormSession } from '#contract/rules/merge-scorm.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { Refused } from '#server/ledger/apply-once.ts';

type Args<C extends AttemptChange['command']> = Extract<AttemptChange, { command: C }>['args'];
type Session = ScormFacts & { item_id: string; session_id: string; at: string };

/**
 * The package work of one attempt: collected in memory and written at the end, together with the attempt.
 *
 * The facts of a session are always accepted and never move back. Which session continues is a choice: one made without
 * knowledge of another device's choice is a conflict, and both sessions are kept.
 */
export const packageWork = async (tx: Db, attemptId: string, exists: boolean) => {
  const sessions = new Map<string, Session>();
  const resume = new Map<string, string>();
  const touched = new Set<string>();
  const chosen = new Set<string>();
  const statements: { id: string; item_id: string; at: string; verb: string; statement: object }[] = [];
  const states = new Map<string, { state: string; at: string }>();
  const facts = new Map<string, H5pFacts>();
  const changedFacts = new Set<string>();
  let factsLoaded = !exists;
  const loadFacts = async () => {
    if (factsLoaded) return;
    factsLoaded = true;
    for (const { item_id, ...f } of await tx.all<H5pFacts & { item_id: string }>(
      sql`select item_id, completed, score from h5p_facts where attempt_id = ${attemptId}`,
    ))
      facts.set(item_id, f);
  };
  const key = (item: string, session: string) => `${session}:${item}`;
  let loaded = !exists;
  const load = async () => {
    if (loaded) return;
    loaded = true;
    for (const s of await tx.all<Session>(
      sql`select item_id, session_id, at, ticks, ended, seconds, completion, success, score, percent, cmi from scorm_sessions where attempt_id = ${attemptId}`,
    ))
      sessions.set(key(s.item_id, s.session_id), s);
    for (const r of await tx.all<{ item_id: string; session_id: string }>(
      sql`select item_id, session_id from scorm_resumes where attempt_id = ${attemptId}`,
    ))
      resume.set(r.item_id, r.session_id);
  };
  return {
    commit: async ({ item_id, session_id, ...facts }: Args<'attempt.scorm_commit'>, at: string) => {
      await load();
      const before = sessions.get(key(item_id, session_id));
      sessions.set(key(item_id, session_id), { item_id, session_id, at, ...(before ? mergeScormSession(before, facts) : facts) });
      touched.add(key(item_id, session_id));
    },
    resume: async ({ item_id, session_id, instead_of }: Args<'attempt.scorm_resume'>) => {
      await load();
      if (!sessions.has(key(item_id, session_id))) throw new Refused('not_found');
      const now = resume.get(item_id);
      if (now === session_id) return;
      // Without a current session there is nothing to conflict with.
      if (now !== undefined && now !== instead_of) throw new Refused('resume_elsewhere', ['keep_mine', 'keep_theirs']);
      resume.set(item_id, session_id);
      chosen.add(item_id);
    },
    /** Every item with the current state of its sessions. */
    items: async (): Promise<ScormItem[]> => {
      await load();
      const items = Map.groupBy(sessions.values(), (s) => s.item_id);
      return [...items].map(([item_id, list]) => ({ item_id, resume: resume.get(item_id) ?? null, sessions: list }));
    },
    statements: async ({ item_id, statements: received }: Args<'attempt.h5p_statements'>) => {
      await loadFacts();
      const now = h5pFactsOf(received);
      facts.set(item_id, mergeH5pFacts(facts.get(item_id) ?? now, now));
      changedFacts.add(item_id);
      for (const s of received) statements.push({ id: s.id, item_id, at: s.at, verb: s.verb, statement: s.statement });
    },
    state: ({ item_id, state }: Args<'attempt.h5p_state'>, at: string) => states.set(item_id, { state, at }),
    /** The current facts of each H5P activity. */
    activities: async (): Promise<(H5pFacts & { item_id: string })[]> => {
      await loadFacts();
      return [...facts].map(([item_id, f]) => ({ item_id, ...f }));
    },
    write: async (now: Date) => {
      if (touched.size > 0)
        await tx.run(sql`insert into scorm_sessions (attempt_id, item_id, session_id, at, ticks, ended, seconds, completion, success, score, percent, cmi)
          select ${attemptId}, r.item_id, r.session_id, r.at, r.ticks, coalesce(r.ended, true), r.seconds, r.completion, r.success, r.score, r.percent, r.cmi
          from jsonb_to_recordset(${JSON.stringify([...touched].map((k) => sessions.get(k)))}::jsonb) as r (item_id text, session_id uuid, at timestamptz, ticks integer, ended boolean, seconds integer, completion text, success text, score float8, percent float8, cmi jsonb)
          on conflict (attempt_id, item_id, session_id) do update set at = excluded.at, ticks = excluded.ticks, ended = excluded.ended, seconds = excluded.seconds, completion = excluded.completion, success = excluded.success, score = excluded.score, percent = excluded.percent, cmi = excluded.cmi`);
      for (const item of chosen)
        await tx.run(sql`insert into scorm_resumes (attempt_id, item_id, session_id) values (${attemptId}, ${item}, ${resume.get(item) ?? null})
          on conflict (attempt_id, item_id) do update set session_id = excluded.session_id`);
      if (statements.length > 0)
        await tx.run(sql`insert into h5p_statements (id, attempt_id, item_id, at, verb, statement, received_at)
          select r.id, ${attemptId}, r.item_id, r.at, r.verb, r.statement, ${now} from jsonb_to_recordset(${JSON.stringify(statements)}::jsonb) as r (id uuid, item_id text, at timestamptz, verb text, statement jsonb)
          on conflict (attempt_id, id) do nothing`);
      for (const item of changedFacts) {
        const { completed, score } = facts.get(item) as H5pFacts;
        await tx.run(sql`insert into h5p_facts (attempt_id, item_id, completed, score) values (${attemptId}, ${item}, ${completed}, ${score})
          on conflict (attempt_id, item_id) do update set completed = excluded.completed, score = excluded.score`);
      }
      for (const [item, { state, at }] of states)
        await tx.run(sql`insert into h5p_states (attempt_id, item_id, state, at) values (${attemptId}, ${item}, ${state}, ${at})
          on conflict (attempt_id, item_id) do update set state = excluded.state, at = excluded.at`);
    },
  };
};
