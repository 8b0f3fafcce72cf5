import * as z from 'zod/mini';
import { AttemptChange } from '#contract/commands/attempt-commands.ts';
import { CertificateChange } from '#contract/commands/certificate-commands.ts';
import { CheckIn } from '#contract/commands/check-in-commands.ts';
import { AddEvidence } from '#contract/commands/evidence-commands.ts';
import { FeedbackChange } from '#contract/commands/feedback-commands.ts';
import { MessageChange } from '#contract/commands/message-commands.ts';
import { RegisterChange } from '#contract/commands/register-commands.ts';
import { SubmissionChange } from '#contract/commands/submission-commands.ts';
import { Attempt } from '#contract/entities/attempt.ts';
import { CareCertificate } from '#contract/entities/care-certificate.ts';
import { OwnCheckIn } from '#contract/entities/check-in.ts';
import { EvidenceFile } from '#contract/entities/care-evidence.ts';
import { OwnEvaluation } from '#contract/entities/evaluation.ts';
import { OwnFeedback } from '#contract/entities/feedback.ts';
import { Message } from '#contract/entities/message.ts';
import { Submission } from '#contract/entities/submission.ts';
import { Register } from '#contract/entities/training-session.ts';
import type { ErrorCode } from '#contract/errors.ts';

/**
 * All kinds of changes that a device may queue. Each has a folder in src/offline/kinds and a part in the feature that handles its
 * changes (server/ledger/kinds.ts); if either is missing, compilation fails. The name is the prefix of its lanes, on the wire, on
 * disk and in sealed copies, so it never changes. `change`: what may be queued. `copy`: the server's answer. `refusals`: why a
 * change may be refused, besides `refusalsOfAll`.
 */
export const kinds = {
  /** An attempt at a course: pages, quizzes, packages and activities. */
  attempt: {
    change: AttemptChange,
    copy: Attempt,
    refusals: ['attempt_closed', 'begun_after', 'quiz_try_taken', 'no_tries_left', 'prerequisite_missing', 'resume_elsewhere'],
  },
  certificate: {
    change: CertificateChange,
    copy: CareCertificate,
    refusals: ['decided_elsewhere', 'not_competent', 'method_unfit', 'content_mismatch', 'standard_open', 'not_found'],
  },
  /** Checking in to a training session with the displayed code. */
  check_in: {
    change: CheckIn,
    copy: OwnCheckIn,
    refusals: ['wrong_code', 'code_too_old', 'not_on_list', 'check_in_closed', 'session_cancelled', 'not_found'],
  },
  /** A file attached to a care certificate record. */
  evidence: { change: AddEvidence, copy: EvidenceFile, refusals: [] },
  /** Learners' feedback on a content (rating, question, problem), and their evaluation of a training session. */
  feedback: { change: FeedbackChange, copy: z.union([OwnFeedback, OwnEvaluation]), refusals: ['not_found', 'evaluation_closed'] },
  /** A conversation with one other person. */
  messages: { change: MessageChange, copy: Message, refusals: ['recipient_gone'] },
  register: { change: RegisterChange, copy: Register, refusals: ['marked_elsewhere', 'session_to_come', 'not_found'] },
  /** A certificate from elsewhere that a person submits for approval. It has its own wording of the general refusals. */
  submission: { change: SubmissionChange, copy: Submission, refusals: ['already_decided', 'unsupported_media', 'invalid_input', 'not_found'] },
} as const satisfies Record<string, { change: z.ZodMiniType; copy: z.ZodMiniType; refusals: readonly ErrorCode[] }>;

/** Reasons to refuse a change of any kind. */
export const refusalsOfAll = [
  'forbidden',
  'not_found',
  'invalid_input',
  'malformed',
  'idempotency_mismatch',
  'body_too_large',
  'unsupported_media',
  'rev_mismatch',
] as const satisfies readonly ErrorCode[];

export type Kind = keyof typeof kinds;
export type ChangeOf<K extends Kind> = z.infer<(typeof kinds)[K]['change']>;
export type CopyOf<K extends Kind> = z.infer<(typeof kinds)[K]['copy']>;
export type RefusalOf<K extends Kind> = (typeof kinds)[K]['refusals'][number];
export type RefusalOfAll = (typeof refusalsOfAll)[number];
export type CommandOf<K extends Kind> = ChangeOf<K>['command'];

export type Change = ChangeOf<Kind>;
export type Command = Change['command'];
export type ArgsOf<C extends Command> = Extract<Change, { command: C }>['args'];
