import { describe, expect, it } from 'vitest';
import { type ErrorCode, errors } from '#contract/errors.ts';
import type { Result } from '#src/api/transport.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { Entry } from '#src/offline/ports.ts';
import { answerOf } from '#src/offline/replay/answer.ts';

const entries = [{ id: 'a' }, { id: 'b' }] as Entry[];
const refused = (code: ErrorCode, more: object = {}): Result<Attempt> => ({
  kind: 'refused',
  status: errors[code].status,
  retryAfterMs: null,
  error: { code, message: errors[code].message, ...more },
});
const kindOf = (result: Result<Attempt>) => {
  const answer = answerOf(result, entries, '');
  return answer.kind === 'later' ? `later ${answer.reason}` : answer.kind;
};

describe('an answer', () => {
  it('is handled as the table says, for every error', () => {
    const table: Record<ErrorCode, string> = {
      invalid_input: 'trouble',
      malformed: 'trouble',
      wrong_credentials: 'trouble',
      account_deactivated: 'trouble',
      second_step_needed: 'trouble',
      passkey_refused: 'trouble',
      sign_in_unknown: 'trouble',
      sign_in_not_allowed: 'trouble',
      sign_in_interrupted: 'trouble',
      already_connected: 'trouble',
      too_many_attempts: 'later busy',
      unauthenticated: 'sign-in',
      csrf_mismatch: 'sign-in',
      access_restricted: 'restricted',
      forbidden: 'trouble',
      content_mismatch: 'trouble',
      standard_open: 'trouble',
      session_to_come: 'trouble',
      not_competent: 'trouble',
      password_change_required: 'sign-in',
      not_found: 'trouble',
      link_expired: 'trouble',
      body_too_large: 'trouble',
      unsupported_media: 'trouble',
      idempotency_mismatch: 'trouble',
      actor_mismatch: 'other-person',
      attempt_closed: 'trouble',
      begun_after: 'trouble',
      quiz_try_taken: 'trouble',
      no_tries_left: 'trouble',
      prerequisite_missing: 'trouble',
      wrong_code: 'trouble',
      code_too_old: 'trouble',
      not_on_list: 'trouble',
      check_in_closed: 'trouble',
      session_cancelled: 'trouble',
      rev_mismatch: 'trouble',
      resume_elsewhere: 'trouble',
      decided_elsewhere: 'trouble',
      marked_elsewhere: 'trouble',
      session_over: 'trouble',
      evaluation_closed: 'trouble',
      method_unfit: 'trouble',
      recipient_gone: 'trouble',
      already_decided: 'trouble',
      price_changed: 'trouble',
      in_use: 'trouble',
      last_administrator: 'trouble',
      table_refused: 'trouble',
      import_begun: 'trouble',
      acting_as_refused: 'trouble',
      not_while_acting: 'trouble',
      package_refused: 'trouble',
      certificate_unavailable: 'trouble',
      report_too_large: 'trouble',
      report_failed: 'later failing',
      sealed_copy_unreadable: 'trouble',
      held_work_decided: 'trouble',
      unavailable: 'later busy',
      internal: 'later failing',
    };
    for (const [code, kind] of Object.entries(table)) expect([code, kindOf(refused(code as ErrorCode))]).toEqual([code, kind]);
    for (const reason of ['offline', 'timeout', 'stranger'] as const) expect(kindOf({ kind: 'unreachable', reason })).toBe('later unreachable');
  });
  it('acknowledges only the entries it names', () => {
    const answer = answerOf(
      {
        kind: 'ok',
        status: 200,
        data: {} as Attempt,
        meta: {
          outcomes: [
            { id: 'a', outcome: 'applied' },
            { id: 'stranger', outcome: 'applied' },
          ],
          server_time: '',
        },
        headers: new Headers(),
      },
      entries,
      '',
    );
    expect(answer.kind === 'done' && answer.outcomes.map((o) => o.id)).toEqual(['a']);
    const silent = answerOf({ kind: 'ok', status: 200, data: {} as Attempt, meta: undefined, headers: new Headers() }, entries, '');
    expect(silent.kind === 'done' && silent.outcomes).toEqual([]);
  });
  it('finds the refused entry by its position in the list', () => {
    const answer = answerOf(refused('invalid_input', { errors: { 'changes.1.args.percent': ['wrong'] } }), entries, '');
    expect(answer.kind === 'trouble' && answer.entryId).toBe('b');
  });
});
