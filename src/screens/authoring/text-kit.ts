import StarterKit, { type StarterKitOptions } from '@tiptap/starter-kit';
import { linkTarget } from '#contract/rules/links.ts';

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
      isAllowedUri: (href) => linkTarget(href) !== null,
      HTMLAttributes: { target: null, rel: null },
    },
    ...more,
  });
