import { contentEndpoints } from '#contract/api/content.ts';
import { feature } from '#server/feature.ts';
import { contentHandlers } from '#server/features/content-creator/contents.rest.ts';

export const contentCreator = feature(contentEndpoints, contentHandlers);
