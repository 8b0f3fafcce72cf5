import { texts } from '#contract/texts.ts';

/**
 * Every error that the product returns deliberately: one row each. The server's error handler, GraphQL's
 * `extensions.code`, the outbox's decision (see src/offline/replay/answer.ts) and the text on the screen read it.
 *
 * `retry` says what a device does with a queued change that got this answer:
 * - never: it needs the person; kept and explained
 * - backoff: the server is in trouble; try again later, indefinitely
 * - after-sign-in: pause this person's lanes and ask once
 * - after-review: a conflict; explained with choices
 */
export type RetryClass = 'never' | 'backoff' | 'after-sign-in' | 'after-review';

const row = <const S extends number>(status: S, retry: RetryClass, message: string) => ({ status, retry, message });

export const errors = {
  invalid_input: row(422, 'never', 'Invalid input.'),
  malformed: row(400, 'never', 'The request could not be read.'),
  wrong_credentials: row(422, 'never', 'The e-mail address or password is incorrect.'),
  /** Only after the right password. */
  account_deactivated: row(
    403,
    'never',
    'Your account has been deactivated. Ask your manager, or whoever looks after the accounts of your organisation.',
  ),
  second_step_needed: row(422, 'never', 'Enter the code from your authenticator app.'),
  passkey_refused: row(
    422,
    'never',
    'This passkey cannot be used to sign in. A passkey that only unlocks your work on this device is not a sign-in passkey.',
  ),
  sign_in_unknown: row(
    403,
    'never',
    'That account is not connected yet. Sign in with your password, then connect it under “How I sign in” in your account menu.',
  ),
  sign_in_not_allowed: row(403, 'never', 'Your organisation does not allow this way to sign in. Use your password.'),
  sign_in_interrupted: row(422, 'never', 'Sign-in was not completed. Please try again.'),
  already_connected: row(409, 'never', 'That account is already connected to another person.'),
  too_many_attempts: row(429, 'backoff', 'Too many attempts. Wait a moment and try again.'),
  unauthenticated: row(401, 'after-sign-in', 'Please sign in.'),
  csrf_mismatch: row(419, 'after-sign-in', 'This page has been open for too long. Please try again.'),
  access_restricted: row(403, 'after-sign-in', 'Your organisation has temporarily restricted access. Ask your manager.'),
  forbidden: row(403, 'never', 'You do not have permission to do this.'),
  acting_as_refused: row(403, 'never', 'You cannot act for this organisation. You are now working as yourself.'),
  not_while_acting: row(403, 'never', 'You cannot do this while acting for another organisation. Return to your own organisation first.'),
  password_change_required: row(403, 'after-sign-in', 'You need to change your password first.'),
  not_found: row(404, 'never', 'This could not be found. It may have been removed, or you may not have access to it.'),
  link_expired: row(410, 'never', 'This link has already been used or has expired. Request a new one.'),
  body_too_large: row(413, 'never', 'This is too large to upload.'),
  unsupported_media: row(415, 'never', 'This kind of content is not supported.'),
  idempotency_mismatch: row(422, 'never', 'The same change was sent before with different content.'),
  actor_mismatch: row(409, 'after-sign-in', 'This work belongs to another person. It stays on the device until they sign in.'),
  attempt_closed: row(409, 'after-review', 'This attempt was closed before your work arrived. Your work has been kept.'),
  begun_after: row(409, 'after-review', 'This course was completed before you began it here. What you did belongs to a new try.'),
  quiz_try_taken: row(409, 'after-review', 'This quiz was already handed in on another device. Your answers have been kept.'),
  no_tries_left: row(409, 'after-review', 'There are no tries left for this quiz. Your answers have been kept.'),
  prerequisite_missing: row(409, 'after-review', 'Another course has to be completed before this one.'),
  resume_elsewhere: row(409, 'after-review', 'This was continued on another device. The work from both devices is kept.'),
  decided_elsewhere: row(409, 'after-review', 'Someone else has made a decision on this in the meantime. Both records are kept.'),
  marked_elsewhere: row(409, 'after-review', 'Someone else has recorded something different for this person. Both are kept.'),
  session_over: row(409, 'never', 'The register of this session is complete. Make changes in the register.'),
  evaluation_closed: row(409, 'never', 'The time in which you can say how this training was is over.'),
  method_unfit: row(
    422,
    'never',
    'This criterion must be observed in practice; a discussion, test or workbook alone is not enough. Your record is kept. Use an observation to decide on this criterion.',
  ),
  content_mismatch: row(422, 'never', 'The record has changed since it was signed. Open it again and sign the current version.'),
  not_competent: row(
    422,
    'never',
    'You are not recorded as competent to assess this standard. Your record is kept, and a competent assessor will decide on it.',
  ),
  standard_open: row(422, 'never', 'The person stays in line of sight for this standard until every criterion is met.'),
  session_to_come: row(422, 'never', 'This session has not taken place yet. You can complete its register on the day.'),
  wrong_code: row(422, 'never', 'This code is not right. Look at the code that the trainer shows, and scan or type it again.'),
  code_too_old: row(422, 'never', 'This code is too old. It changes every 30 seconds: scan or type the one that is shown now.'),
  not_on_list: row(422, 'never', 'You are not on the list of this session. Tell the trainer, who can add you.'),
  check_in_closed: row(422, 'never', 'You can check in from 60 minutes before a session until it ends. This one is at another time.'),
  session_cancelled: row(422, 'never', 'This session is cancelled. If it takes place all the same, the trainer notes that you are here.'),
  rev_mismatch: row(409, 'after-review', 'This was changed elsewhere in the meantime.'),
  sealed_copy_unreadable: row(422, 'never', 'This sealed copy cannot be opened. It may be damaged or belong to another organisation.'),
  recipient_gone: row(404, 'never', 'This person can no longer receive messages. Your message has been kept.'),
  held_work_decided: row(409, 'never', 'A decision has already been made on this.'),
  already_decided: row(409, 'never', 'Somebody has decided on this in the meantime. What they decided stands.'),
  price_changed: row(409, 'never', 'The price has changed since it was shown. Look at the new one, and book or approve again if you agree.'),
  last_administrator: row(
    409,
    'never',
    'Somebody has to remain who can administer this organisation: change people, their user types and permissions. Give this to somebody else first.',
  ),
  in_use: row(409, 'never', 'This is still in use.'),
  table_refused: row(422, 'never', 'This table cannot be read.'),
  import_begun: row(409, 'never', 'This import has already started.'),
  package_refused: row(422, 'never', 'This package cannot be used.'),
  certificate_unavailable: row(404, 'never', 'There is no certificate for this result.'),
  report_too_large: row(300, 'never', 'This report is too large. Choose fewer rows.'),
  report_failed: row(500, 'backoff', texts.failedToFetchReport),
  unavailable: row(503, 'backoff', 'The server is busy. This will be retried automatically.'),
  internal: row(500, 'backoff', 'Something went wrong please try again or contact support.'),
} as const;

export type ErrorCode = keyof typeof errors;

/** Every status used by a row; tells our answers from those of other servers. */
export const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(errors, code);

/** The body of every error answer. `errors` maps a field to its messages. */
export type ErrorBody = {
  message: string;
  code: ErrorCode;
  errors?: Record<string, string[]>;
  request_id?: string;
};
