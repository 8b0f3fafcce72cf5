import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { Id } from '#contract/entities/fields.ts';
import { CompleteArgs, MarkArgs, MarkSignatureArgs, WalkInArgs } from '#contract/entities/training-session.ts';

/**
 * A mark for a delegate, replacing the one that the trainer knew. Only this can conflict: two trainers who take one register may
 * disagree. The change's id is the id of the mark.
 */
export const MarkDelegate = z.object({
  ...change,
  command: z.literal('register.mark'),
  args: z.object({ delegate_id: Id, ...MarkArgs.shape, instead_of: z.nullable(Id) }),
});
/** Adds somebody who attended without being on the list. The change's id is the id of the delegate. */
export const AddWalkIn = z.object({ ...change, command: z.literal('register.walk_in'), args: WalkInArgs });
export const SignMark = z.object({ ...change, command: z.literal('register.sign'), args: MarkSignatureArgs });
/** Finishes the register. Those who have completed the training then have it in their record. */
export const CompleteRegister = z.object({ ...change, command: z.literal('register.complete'), args: CompleteArgs });

export const RegisterChange = z.discriminatedUnion('command', [MarkDelegate, AddWalkIn, SignMark, CompleteRegister]);
export type RegisterChange = z.infer<typeof RegisterChange>;
