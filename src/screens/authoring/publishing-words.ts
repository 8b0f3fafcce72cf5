import type { Content } from '#contract/entities/authored-content.ts';

/** Which version people take, and whether what is written differs from it. */
export const publishingWords = ({ published, version, has_changes }: Pick<Content, 'published' | 'version' | 'has_changes'>): string => {
  if (version === 0) return 'Never published';
  if (!published) return `Withdrawn: version ${version} was the last`;
  return has_changes ? `Version ${version} is published · there are changes that are not` : `Version ${version} is published`;
};
/** Whether there is something to publish, and nothing in its way. */
export const canPublish = ({ problems, published, has_changes }: Pick<Content, 'problems' | 'published' | 'has_changes'>): boolean =>
  problems.length === 0 && (!published || has_changes);
