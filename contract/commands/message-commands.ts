import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { MessageText } from '#contract/entities/message.ts';
import { Id } from '#contract/entities/fields.ts';

/** What a device may queue for the conversation with one other person. A message is only ever added; read stays read. */
export const SendMessage = z.object({ ...change, command: z.literal('message.send'), args: z.object({ recipient_id: Id, message: MessageText }) });
export const ReadMessage = z.object({ ...change, command: z.literal('message.read'), args: z.object({ message_id: Id }) });

export const MessageChange = z.discriminatedUnion('command', [SendMessage, ReadMessage]);
export type MessageChange = z.infer<typeof MessageChange>;
