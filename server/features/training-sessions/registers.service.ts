import type { ChangeOutcome } from '#contract/commands/change.ts';
import type { RegisterChange } from '#contract/commands/register-commands.ts';
import type { MarkArgs, Register } from '#contract/entities/training-session.ts';
import { can } from '#contract/can.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { dayIn } from '#contract/rules/days.ts';
import { randomUUID } from 'node:crypto';
import { needsOutcome, counts, hasStarted, hasDone, currentMark, mergeMarks, sameMark } from '#contract/rules/register.ts';
import { insertRow, updateRows } from '#server/db/rows.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { changeResults, recordResults } from '#server/features/results/results.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import { askWhetherHeld } from '#server/features/training-sessions/ask-whether-held.ts';
import { registerOf, time, touch } from '#server/features/training-sessions/registers.rows.ts';
import type { Actor } from '#server/actor.ts';
import { applyOnce, lockEntity, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/**
 * Brings the training records of all people on a register in line with it, those of clients too, in the transaction that changes the register:
 * people who completed the training get one result; others get none from this session. Idempotent.
 */
export const settleResults = (tx: Db, register: Register, now: Date): Promise<void> => tx.beyond((whole) => settle(whole, register, now));

const settle = async (tx: Db, register: Register, now: Date): Promise<void> => {
  // In the same order everywhere: two registers with the same people would otherwise deadlock.
  const inOrder = register.delegates.toSorted((a, b) => ((a.user?.id ?? '') < (b.user?.id ?? '') ? -1 : 1));
  let waits: boolean | null = null;
  /** Whether certificates are withheld until somebody releases them: decided when the first is recorded. */
  const withheld = async () => {
    if (waits !== null || register.certificates_withheld) return waits ?? true;
    const released = await tx.one(sql`select 1 from training_sessions where id = ${register.id} and certificates_released_at is not null`);
    waits = !released && !(await companySettings(tx, register.entity.id)).auto_release_certificates;
    if (waits) await updateRows(tx, 'training_sessions', { certificates_withheld: true }, sql`id = ${register.id}`);
    return waits;
  };
  for (const delegate of inOrder) {
    const done = delegate.user !== null && counts(register) && hasDone(register, currentMark(delegate));
    if (!done && delegate.recorded) {
      const reason = register.completed ? 'The register says that they have not done it.' : 'The register is not complete.';
      await changeResults(
        tx,
        sql`delegate_id = ${delegate.id} and status <> 'deleted'`,
        { status: 'deleted' },
        { change: 'deleted', by: null, reason },
        now,
      );
    }
    const score = register.grading_method === 'score' ? (currentMark(delegate)?.score ?? null) : null;
    if (done && delegate.recorded) {
      const other = sql`delegate_id = ${delegate.id} and status = 'approved' and score is distinct from ${score}::integer`;
      await changeResults(tx, other, { score }, { change: 'corrected', by: null, reason: 'The register says another score.' }, now);
    }
    if (!done || delegate.recorded || !delegate.user) continue;
    const taken = await tx.one<{
      content_id: string | null;
      zone: string;
      certificate_suppressed: boolean;
    }>(sql`select ${await withheld()}::boolean as certificate_suppressed,
      (select e.time_zone from entity_names e where e.id = ${register.entity.id}) as zone,
      coalesce(${register.contentId}, (select c.id from contents c where c.course_id = ${register.course.id} and c.type = 'face2face' and c.deleted_at is null order by c.created_at, c.id limit 1)) as content_id`);
    const { id: delegate_id, user } = delegate;
    await recordResults(
      tx,
      [
        {
          user_id: user.id,
          course_id: register.course.id,
          type: 'face2face',
          completed: register.date,
          delegate_id,
          origin: 'register',
          score,
          ...taken,
        },
      ],
      now,
    );
  }
};

const takesRegisters: PermissionSlug[] = ['delegate.mark'];
type Applied = Taken<Register> & { current: Register };
type Asking = Pick<Services, 'db' | 'mail' | 'config' | 'now'>;
type Listed = { id: string; same_as: string | null; removed_at: string | null };
/**
 * Adds a device's entries to a register. Entries are accepted whatever has become of the session: one that was cancelled, or moved from the
 * day on which its register was finished, waits for a decision on whether it took place, and somebody removed from the list who came is on
 * it as a walk-in. Only a mark that contradicts one unknown to the device can conflict: one that says less than it stands behind it, and what
 * both say together is one mark.
 */
export const applyToRegister = (services: Asking, actor: Actor, id: string, changes: readonly RegisterChange[]): Promise<Applied> =>
  services.db.tx(async (tx) => {
    const now = services.now();
    await lockEntity(tx, id);
    const before = await registerOf(tx, actor, id);
    if (!can(actor.user, takesRegisters)) throw new ProductError('forbidden');
    const listed = async (delegate: string) => {
      const found = await tx.one<Listed>(sql`select id, same_as, removed_at from session_delegates where id = ${delegate} and session_id = ${id}`);
      if (!found) throw new Refused('not_found');
      return found.same_as === null
        ? found
        : ((await tx.one<Listed>(sql`select id, same_as, removed_at from session_delegates where id = ${found.same_as}`)) as Listed);
    };
    /** Records what was seen, by whom and when. */
    const note = (table: string, change: RegisterChange, values: Parameters<typeof insertRow>[1]) =>
      tx.run(insertRow(table, { id: change.id, session_id: id, ...values, by_id: actor.user.uuid, at: timeOf(change, now), received_at: now }));
    /** Somebody removed from the list who came is on it as a walk-in. */
    const putBack = (delegateId: string) =>
      updateRows(tx, 'session_delegates', { removed_at: null, removed_by: null, walk_in: true }, sql`id = ${delegateId}`);
    const walkIn = async (change: Extract<RegisterChange, { command: 'register.walk_in' }>) => {
      const { user_id, name, note } = change.args;
      // An invisible person is not identified by id: the recorded name stays, and is matched by someone who sees them.
      const user = user_id && (await tx.one<{ id: string }>(sql`select u.id from users u where u.id = ${user_id} and ${visiblePerson(actor)}`));
      const known = user
        ? await tx.one<Listed>(
            sql`select id, same_as, removed_at from session_delegates where session_id = ${id} and user_id = ${user.id} and same_as is null`,
          )
        : undefined;
      const delegate = { user_id: user ? user.id : null, name, note, walk_in: true, same_as: known?.id ?? null };
      await tx.run(
        insertRow('session_delegates', { id: change.id, session_id: id, ...delegate, added_by: actor.user.uuid, added_at: timeOf(change, now) }),
      );
      if (known?.removed_at) await putBack(known.id);
      return known ? 'late' : 'applied';
    };
    const mark = async (change: Extract<RegisterChange, { command: 'register.mark' }>) => {
      const { delegate_id, instead_of, ...said } = change.args;
      const delegate = await listed(delegate_id);
      type Marked = MarkArgs & { id: string; seq: string };
      const marks = sql`select m.id, m.presence, ${time(sql`m.arrived`)} as arrived, ${time(sql`m.left_at`)} as left, m.outcome, m.score, m.theory, m.note, m.seq::text as seq
        from register_marks m join session_delegates x on x.id = m.delegate_id where m.session_id = ${id} and coalesce(x.same_as, x.id) = ${delegate.id}`;
      const [last] = await tx.all<Marked>(sql`${marks} order by m.seq desc limit 1`);
      const known = !last || last.id === instead_of;
      // What both knew: a mark that counted and was replaced, and not an earlier one of the same device that nobody else saw.
      const shared = sql`${marks} and m.id = ${instead_of} and exists (select 1 from register_marks l where l.instead_of = m.id)`;
      const base = known || instead_of === null ? null : ((await tx.one<Marked>(shared)) ?? null);
      const together = known ? said : mergeMarks(base, said, last);
      // What the same person replaced later, in the same request, is not asked about and adds nothing to theirs: the later one does.
      const replaced = changes.slice(changes.indexOf(change)).some((c) => c.command === 'register.mark' && c.args.instead_of === change.id);
      if (!together && !replaced) throw new Refused('marked_elsewhere', ['keep_mine', 'keep_theirs', 'ask_manager']);
      const add = (id: string, { left: left_at, ...mark }: MarkArgs, seq: Statement, replaces: string | null) =>
        note(
          'register_marks',
          { ...change, id },
          { delegate_id: delegate.id, ...mark, left_at, instead_of: replaces, seq, clock_off_ms: change.clock_off_ms ?? null },
        );
      const next = sql`(select coalesce(max(seq), 0) + 1 from register_marks where session_id = ${id})`;
      const joins = !replaced && together !== null;
      if (known || (joins && sameMark(together, said))) await add(change.id, said, next, last?.id ?? null);
      else {
        // Directly behind the mark that counts, whose signature stays valid.
        const behind = sql`(select (coalesce(max(seq), 0) + ${last.seq}::numeric) * 0.5 from register_marks where session_id = ${id} and seq < ${last.seq}::numeric)`;
        await add(change.id, said, behind, null);
        if (joins && !sameMark(together, last)) await add(randomUUID(), together, next, last.id);
      }
      if (delegate.removed_at === null || said.presence === 'absent') return before.cancelled || delegate.removed_at ? 'late' : 'applied';
      await putBack(delegate.id);
      return 'late';
    };
    /** The session's day before it was moved: the latest one that had already come. */
    const dayBefore = (day: string) =>
      tx.one<{ day: string }>(
        sql`select former::text as day from training_sessions t, unnest(t.former_days) with ordinality f(former, no) where t.id = ${id} and former <= ${day}::date order by no desc limit 1`,
      );
    const apply = async (change: RegisterChange): Promise<ChangeOutcome['outcome']> => {
      switch (change.command) {
        case 'register.walk_in':
          return walkIn(change);
        case 'register.mark':
          return mark(change);
        case 'register.sign': {
          const { mark_id, method, drawing } = change.args;
          if (!(await tx.one(sql`select id from register_marks where id = ${mark_id} and session_id = ${id}`))) throw new Refused('not_found');
          if ((method === 'drawn') !== (drawing !== null)) throw new Refused('forbidden');
          await note('register_signatures', change, { mark_id, method, drawing });
          return 'applied';
        }
        case 'register.complete': {
          const { marks, note: remark, method, drawing } = change.args;
          if ((method === 'drawn') !== (drawing !== null)) throw new Refused('forbidden');
          const day = dayIn(new Date(timeOf(change, now)), actor.user.time_zone);
          const movedFrom = hasStarted(before, day) ? undefined : await dayBefore(day);
          if (!movedFrom && !hasStarted(before, dayIn(now, actor.user.time_zone))) throw new Refused('session_to_come');
          await note('register_completions', change, { marks: [...marks], note: remark, method, drawing });
          // The last completion decides on which day the session was held.
          await updateRows(tx, 'training_sessions', { taken_on: movedFrom?.day ?? null }, sql`id = ${id}`);
          return before.cancelled || movedFrom ? 'late' : 'applied';
        }
      }
    };
    const { outcomes, failure, effects, record } = await applyOnce(tx, actor.user.uuid, changes, now, apply);
    await record();
    if (effects > 0) await touch(tx, id);
    await settleResults(tx, await registerOf(tx, actor, id), now);
    const register = await registerOf(tx, actor, id);
    if (needsOutcome(register) && !needsOutcome(before)) await askWhetherHeld(services, tx, register);
    return { current: register, outcomes, failure };
  });
