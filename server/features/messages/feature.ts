import { messageEndpoints } from '#contract/api/messages.ts';
import { feature } from '#server/feature.ts';
import { messageHandlers } from '#server/features/messages/messages.rest.ts';
import { messagesQueued } from '#server/features/messages/queued.ts';

export const messages = feature(messageEndpoints, messageHandlers, { queued: (services) => ({ messages: messagesQueued(services) }) });
