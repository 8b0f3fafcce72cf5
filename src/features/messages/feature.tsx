import type { Feature } from '#src/lib/feature.ts';
import { IconMail } from '#src/ui/icons.tsx';

export const messagesFeature: Feature = {
  pages: { messages: () => import('#src/features/messages/messages.page.tsx') },
  nav: [{ route: 'messages', label: 'Messages', icon: IconMail, need: 39 }],
};
