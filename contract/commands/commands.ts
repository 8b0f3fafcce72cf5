import type { AttemptChange } from '#contract/commands/attempt-commands.ts';
import type { CertificateChange } from '#contract/commands/certificate-commands.ts';
import type { AddEvidence } from '#contract/commands/evidence-commands.ts';
import type { MessageChange } from '#contract/commands/message-commands.ts';
import type { RegisterChange } from '#contract/commands/register-commands.ts';

/** Every change that a device may queue, whatever it belongs to. */
export type Change = AttemptChange | CertificateChange | AddEvidence | MessageChange | RegisterChange;
export type Command = Change['command'];
export type ArgsOf<C extends Command> = Extract<Change, { command: C }>['args'];
