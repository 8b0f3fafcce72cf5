import { contentEndpoints } from '#contract/api/content.ts';
import { contentPartEndpoints } from '#contract/api/content-parts.ts';
import { courseEndpoints } from '#contract/api/courses.ts';
import { feature } from '#server/feature.ts';
import { contentHandlers, contentPartHandlers, courseHandlers } from '#server/features/content-creator/contents.rest.ts';

export const contentCreator = feature([...courseEndpoints, ...contentEndpoints, ...contentPartEndpoints], (services) => ({
  ...courseHandlers(services),
  ...contentHandlers(services),
  ...contentPartHandlers(services),
}));
