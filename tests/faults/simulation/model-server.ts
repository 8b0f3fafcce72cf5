import type { ChangeOutcome } from '#contract/commands/change.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import type { Result } from '#src/api/transport.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { DecideArgs, FileArgs, SignArgs } from '#tests/faults/simulation/deeds.ts';

/** A model of the server: a ledger with atomic effects, an archive, a session per device, and backups. */
type Effect = { entry: string; user: string; device: string; lane: string; n: number; tokens: string[] };
type State = {
  ledger: Map<string, { fingerprint: string; outcome: ChangeOutcome }>;
  effects: Effect[];
  archive: Map<string, string[]>;
  lanes: Map<string, { rev: number; submitted: boolean }>;
  /** The current decision for each criterion, by lane. */
  decisions: Map<string, string>;
  /** Received pieces of files. A restore loses them like everything else. */
  pieces: Map<string, Set<number>>;
};

const copyOf = (s: State): State => ({
  ledger: new Map(s.ledger),
  effects: [...s.effects],
  archive: new Map(s.archive),
  lanes: new Map([...s.lanes].map(([k, v]) => [k, { ...v }])),
  decisions: new Map(s.decisions),
  pieces: new Map([...s.pieces].map(([k, v]) => [k, new Set(v)])),
});
export const tokensOf = (entry: Pick<Entry, 'args'>): string[] => {
  const args = entry.args as { seconds?: Record<string, number>; answers?: Record<string, unknown>; token?: string };
  return args.token === undefined ? Object.keys(args.seconds ?? args.answers ?? {}) : [args.token];
};

export class ModelServer {
  state: State = { ledger: new Map(), effects: [], archive: new Map(), lanes: new Map(), decisions: new Map(), pieces: new Map() };
  /** Every effect ever applied, with its history; a restore starts a new history. */
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
    // The backup's content belongs to the new history too.
    this.everApplied.push(...this.state.effects.map(({ entry }) => ({ entry, history: this.history })));
  }

  private refused(status: number, code: ErrorCode, extra: object = {}): Result<Attempt> {
    return { kind: 'refused', status, error: { message: errors[code].message, code, ...extra }, retryAfterMs: null };
  }

  /** Whether this device's session belongs to that person. */
  private check(device: string, actor: string): Result<Attempt> | null {
    const user = this.sessions.get(device) ?? null;
    if (user === null) return this.refused(401, 'unauthenticated');
    if (user !== actor) return this.refused(409, 'actor_mismatch');
    return null;
  }

  patch(device: string, actor: string, lane: string, entries: readonly Entry[]): Result<Attempt> {
    const stop = this.check(device, actor);
    if (stop) return stop;
    // A server bug: it always fails on this change, and rejects everything sent with it.
    if (entries.some((e) => (e.args as { breaks?: boolean }).breaks)) return this.refused(500, 'internal');
    const { ledger, effects, archive, lanes } = this.state;
    const outcomes: ChangeOutcome[] = [];
    let at = lanes.get(lane) ?? (lane.startsWith('attempt:') ? undefined : { rev: 0, submitted: false });
    const current = () => ({ rev: at?.rev ?? 0, decisions: [...this.state.decisions], missing: [] }) as unknown as Attempt;
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
      const missing = this.missingOf(entry);
      // A decision or signature needs its record.
      const { record } = entry.args as Partial<SignArgs>;
      if (record !== undefined && !effects.some((e) => e.entry === record)) return fail(entry, 'not_found', false);
      if (missing.length > 0)
        return { kind: 'ok', status: 200, data: { missing } as unknown as Attempt, meta: { outcomes, server_time: '' }, headers: new Headers() };
      if (entry.command === 'observation.decide') {
        // A decision must name the one it replaces; otherwise someone else has decided meanwhile.
        if ((this.state.decisions.get(lane) ?? null) !== (entry.args as DecideArgs).instead_of) return fail(entry, 'decided_elsewhere', true);
        this.state.decisions.set(lane, entry.id);
      }
      if (entry.command === 'attempt.submit_quiz') {
        if (at.submitted) return fail(entry, 'quiz_try_taken', true);
        at.submitted = true;
      }
      at.rev++;
      const [, , device2] = lane.split(':');
      effects.push({ entry: entry.id, user: actor, device: device2 ?? '', lane, n: entry.n, tokens: tokensOf(entry) });
      this.everApplied.push({ entry: entry.id, history: this.history });
      const outcome: ChangeOutcome = { id: entry.id, outcome: 'applied' };
      ledger.set(entry.id, { fingerprint, outcome });
      outcomes.push(outcome);
    }
    return { kind: 'ok', status: 200, data: current(), meta: { outcomes, server_time: '' }, headers: new Headers() };
  }

  /** Missing pieces of a file. */
  private missingOf({ id, command, args }: Entry): number[] {
    if (command !== 'evidence.add') return [];
    const here = this.state.pieces.get(id);
    return Array.from({ length: (args as FileArgs).pieces }, (_, i) => i).filter((i) => !here?.has(i));
  }

  /** Stores a piece of a file and returns what is missing. */
  takePiece(device: string, actor: string, entry: Entry, piece: number): Result<Attempt> {
    const stop = this.check(device, actor);
    if (stop) return stop;
    const here = this.state.pieces.get(entry.id) ?? new Set();
    this.state.pieces.set(entry.id, here.add(piece));
    return { kind: 'ok', status: 200, data: { missing: this.missingOf(entry) } as unknown as Attempt, meta: null, headers: new Headers() };
  }

  /** The ids that are unknown, or what stops the device. */
  greet(device: string, actor: string, ids: readonly string[]): Result<Attempt> | { unknown: string[] } {
    return this.check(device, actor) ?? { unknown: ids.filter((id) => !this.state.ledger.has(id)) };
  }
}
