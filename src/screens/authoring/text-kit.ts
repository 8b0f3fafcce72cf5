import StarterKit, { type StarterKitOptions } from '@tiptap/starter-kit';
import { safeHref } from '#contract/entities/rich-text.ts';

/** The editor extensions for the texts of the contract: nothing else can be typed or pasted. */
export const textKit = (more: Partial<StarterKitOptions>) =>
  StarterKit.configure({
    code: false,
    codeBlock: false,
    strike: false,
    underline: false,
    horizontalRule: false,
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (href) => safeHref.test(href),
      HTMLAttributes: { target: null, rel: null },
    },
    ...more,
  });
