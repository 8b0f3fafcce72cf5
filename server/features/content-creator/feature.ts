import { contentEndpoints } from '#contract/api/content.ts';
import { contentFileEndpoints } from '#contract/api/content-files.ts';
import { contentPartEndpoints } from '#contract/api/content-parts.ts';
import { courseEndpoints } from '#contract/api/courses.ts';
import { feature } from '#server/feature.ts';
import { contentFileHandlers, contentHandlers, contentPartHandlers, courseHandlers } from '#server/features/content-creator/contents.rest.ts';

export const contentCreator = feature([...courseEndpoints, ...contentEndpoints, ...contentFileEndpoints, ...contentPartEndpoints], (services) => ({
  ...courseHandlers(services),
  ...contentHandlers(services),
  ...contentFileHandlers(services),
  ...contentPartHandlers(services),
}));
