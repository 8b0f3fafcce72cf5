import type { Content } from '#contract/entities/authored-content.ts';

/** Which version people take, and whether the working copy differs from it. */
export const publishingWords = ({ published, version, has_changes }: Pick<Content, 'published' | 'version' | 'has_changes'>): string => {
  if (version === 0) return 'Never published';
  if (!published) return `Withdrawn: version ${version} was the last`;
  return has_changes ? `Version ${version} is published · there are changes that are not` : `Version ${version} is published`;
};
/** The title of the publish dialog: with a number only if there is no choice of version. */
export const publishTitle = ({ published, version, has_changes }: Pick<Content, 'published' | 'version' | 'has_changes'>): string =>
  isWithdrawn({ published, version }) ? (has_changes ? 'Publish again' : `Publish version ${version} again`) : `Publish version ${version + 1}`;
type Publishable = Pick<Content, 'problems' | 'published' | 'version' | 'has_changes'>;
/** Whether it was published and withdrawn: its last version can be published again, whatever the working copy is. */
export const isWithdrawn = ({ published, version }: Pick<Content, 'published' | 'version'>): boolean => version > 0 && !published;
/** Whether there are changes to publish, without problems. */
export const canPublish = (content: Publishable): boolean =>
  isWithdrawn(content) || (content.problems.length === 0 && (!content.published || content.has_changes));
