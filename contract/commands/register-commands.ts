import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { Id } from '#contract/entities/fields.ts';
import { CompleteArgs, MarkArgs, MarkSignatureArgs, WalkInArgs } from '#contract/entities/training-session.ts';

/**
 * What is noted of a delegate, instead of what the trainer knew. Only this can conflict: two who take one register may have seen
 * it differently. The change's id is the id of the mark.
 */
export const MarkDelegate = z.object({
  ...change,
  command: z.literal('register.mark'),
  args: z.object({ delegate_id: Id, ...MarkArgs.shape, instead_of: z.nullable(Id) }),
});
/** Somebody who came without being on the list. The change's id is the id of the delegate. */
export const AddWalkIn = z.object({ ...change, command: z.literal('register.walk_in'), args: WalkInArgs });
export const SignMark = z.object({ ...change, command: z.literal('register.sign'), args: MarkSignatureArgs });
/** The register is whole. Who has done the training by it has it in their record from then on. */
export const CompleteRegister = z.object({ ...change, command: z.literal('register.complete'), args: CompleteArgs });

export const RegisterChange = z.discriminatedUnion('command', [MarkDelegate, AddWalkIn, SignMark, CompleteRegister]);
export type RegisterChange = z.infer<typeof RegisterChange>;
