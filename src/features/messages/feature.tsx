import type { Feature } from '#src/lib/feature.ts';

export const messagesFeature: Feature = {
  pages: { messages: () => import('#src/features/messages/messages.page.tsx') },
  titles: {
    messages: 'Messages',
  },
};
