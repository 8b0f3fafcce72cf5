import type * as z from 'zod/mini';
import { AttemptChange } from '#contract/commands/attempt-commands.ts';
import { CertificateChange } from '#contract/commands/certificate-commands.ts';
import { AddEvidence } from '#contract/commands/evidence-commands.ts';
import { MessageChange } from '#contract/commands/message-commands.ts';
import { RegisterChange } from '#contract/commands/register-commands.ts';
import { Attempt } from '#contract/entities/attempt.ts';
import { CareCertificate } from '#contract/entities/care-certificate.ts';
import { EvidenceFile } from '#contract/entities/care-evidence.ts';
import { Message } from '#contract/entities/message.ts';
import { Register } from '#contract/entities/training-session.ts';
import type { ErrorCode } from '#contract/errors.ts';

/**
 * Every kind of thing that a device may queue changes of: the one list. A kind has a folder in src/offline/kinds and a part in
 * the feature that takes its changes (server/ledger/kinds.ts); where either is missing, nothing compiles.
 *
 * The name is what its lanes begin with, on the wire, on the disk and in sealed copies: it never changes. `change`: what may be
 * queued. `copy`: what the server answers with. `refusals`: why it may not take a change, beside what any change can meet.
 */
export const kinds = {
  /** A way through a course, with its pages, quizzes, packages and activities. */
  attempt: {
    change: AttemptChange,
    copy: Attempt,
    refusals: ['attempt_closed', 'quiz_try_taken', 'no_tries_left', 'prerequisite_missing', 'resume_elsewhere'],
  },
  certificate: {
    change: CertificateChange,
    copy: CareCertificate,
    refusals: ['decided_elsewhere', 'not_competent', 'method_unfit', 'content_mismatch', 'standard_open'],
  },
  /** A file that a record of a care certificate names. */
  evidence: { change: AddEvidence, copy: EvidenceFile, refusals: [] },
  /** What is written to and read of one other person. */
  messages: { change: MessageChange, copy: Message, refusals: ['recipient_gone'] },
  /** The register of a training session. */
  register: { change: RegisterChange, copy: Register, refusals: ['marked_elsewhere', 'session_to_come'] },
} as const satisfies Record<string, { change: z.ZodMiniType; copy: z.ZodMiniType; refusals: readonly ErrorCode[] }>;

/** Why any change may be refused, whatever it belongs to. */
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

/** Every change that a device may queue, whatever it belongs to. */
export type Change = ChangeOf<Kind>;
export type Command = Change['command'];
export type ArgsOf<C extends Command> = Extract<Change, { command: C }>['args'];
