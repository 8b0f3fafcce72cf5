import type { ChangeOutcome } from '#contract/commands/change.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import type { Result } from '#src/api/transport.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { Entry } from '#src/offline/ports.ts';

/** What the model needs of a server: a ledger with its effects in one step, an archive, a session for each device, backups. */
type Effect = { entry: string; user: string; device: string; lane: string; n: number; tokens: string[] };
type State = {
  ledger: Map<string, { fingerprint: string; outcome: ChangeOutcome }>;
  effects: Effect[];
  archive: Map<string, string[]>;
  lanes: Map<string, { rev: number; submitted: boolean }>;
};

const copyOf = (s: State): State => ({
  ledger: new Map(s.ledger),
  effects: [...s.effects],
  archive: new Map(s.archive),
  lanes: new Map([...s.lanes].map(([k, v]) => [k, { ...v }])),
});
export const tokensOf = (entry: Pick<Entry, 'args'>): string[] => {
  const args = entry.args as { seconds?: Record<string, number>; answers?: Record<string, unknown> };
  return Object.keys(args.seconds ?? args.answers ?? {});
};

export class ModelServer {
  state: State = { ledger: new Map(), effects: [], archive: new Map(), lanes: new Map() };
  /** Every effect that ever happened, with the history it happened in: a restore starts a new one. */
  history = 0;
  everApplied: { entry: string; history: number }[] = [];
  readonly sessions = new Map<string, string | null>();
  private backup: State | null = null;

  takeBackup(): void {
    this.backup = copyOf(this.state);
  }
  restore(): void {
    if (!this.backup) return;
    this.history++;
    this.state = copyOf(this.backup);
    // What the backup holds belongs to the new history too.
    this.everApplied.push(...this.state.effects.map(({ entry }) => ({ entry, history: this.history })));
  }

  private refused(status: number, code: ErrorCode, extra: object = {}): Result<Attempt> {
    return { kind: 'refused', status, error: { message: errors[code].message, code, ...extra }, retryAfterMs: null };
  }

  /** Whether this device may speak for that person now. */
  private check(device: string, actor: string): Result<Attempt> | null {
    const user = this.sessions.get(device) ?? null;
    if (user === null) return this.refused(401, 'unauthenticated');
    if (user !== actor) return this.refused(409, 'actor_mismatch');
    return null;
  }

  patch(device: string, actor: string, lane: string, entries: readonly Entry[]): Result<Attempt> {
    const stop = this.check(device, actor);
    if (stop) return stop;
    const { ledger, effects, archive, lanes } = this.state;
    const outcomes: ChangeOutcome[] = [];
    let at = lanes.get(lane);
    const current = () => ({ rev: at?.rev ?? 0, progress: [], submissions: [], answers: [] }) as unknown as Attempt;
    const fail = (entry: Entry, code: ErrorCode, keep: boolean): Result<Attempt> => {
      const outcome: ChangeOutcome = { id: entry.id, outcome: errors[code].status === 409 ? 'conflict' : 'refused', code };
      archive.set(entry.id, tokensOf(entry));
      if (keep) ledger.set(entry.id, { fingerprint: JSON.stringify(entry.args), outcome });
      outcomes.push(outcome);
      return this.refused(errors[code].status, code, { outcomes, current: at ? current() : null, resolution: ['keep_theirs'] });
    };
    for (const entry of entries) {
      const fingerprint = JSON.stringify(entry.args);
      const seen = ledger.get(entry.id);
      if (seen && seen.fingerprint !== fingerprint) return fail(entry, 'idempotency_mismatch', false);
      if (seen) {
        outcomes.push(seen.outcome);
        if (seen.outcome.outcome === 'conflict' || seen.outcome.outcome === 'refused')
          return this.refused(409, seen.outcome.code as ErrorCode, { outcomes, current: current(), resolution: ['keep_theirs'] });
        continue;
      }
      if ((entry.args as { poison?: boolean }).poison) return fail(entry, 'invalid_input', false);
      if (entry.command === 'attempt.start') {
        at ??= { rev: 0, submitted: false };
        lanes.set(lane, at);
      }
      if (!at) return fail(entry, 'not_found', false);
      if (entry.command === 'attempt.submit_quiz') {
        if (at.submitted) return fail(entry, 'quiz_try_taken', true);
        at.submitted = true;
      }
      at.rev++;
      const [, , device2] = lane.split(':');
      effects.push({ entry: entry.id, user: actor, device: device2 ?? device, lane, n: entry.n, tokens: tokensOf(entry) });
      this.everApplied.push({ entry: entry.id, history: this.history });
      const outcome: ChangeOutcome = { id: entry.id, outcome: 'applied' };
      ledger.set(entry.id, { fingerprint, outcome });
      outcomes.push(outcome);
    }
    return { kind: 'ok', status: 200, data: current(), meta: { outcomes, server_time: '' }, headers: new Headers() };
  }

  /** Which of these ids it does not know; or what stops the device. */
  greet(device: string, actor: string, ids: readonly string[]): Result<Attempt> | { unknown: string[] } {
    return this.check(device, actor) ?? { unknown: ids.filter((id) => !this.state.ledger.has(id)) };
  }
}
