import { contentEndpoints } from '#contract/api/content.ts';
import { contentFileEndpoints } from '#contract/api/content-files.ts';
import { contentPresenceEndpoints } from '#contract/api/content-presence.ts';
import { contentPartEndpoints } from '#contract/api/content-parts.ts';
import { courseFileEndpoints } from '#contract/api/course-files.ts';
import { courseEndpoints } from '#contract/api/courses.ts';
import { designedContentEndpoints } from '#contract/api/designed-contents.ts';
import { questionFileEndpoints } from '#contract/api/question-files.ts';
import { feature } from '#server/feature.ts';
import { contentGraph } from '#server/features/content-creator/contents.graph.ts';
import {
  contentFileHandlers,
  contentHandlers,
  contentPartHandlers,
  contentPresenceHandlers,
  courseFileHandlers,
  courseHandlers,
  designedContentHandlers,
  questionFileHandlers,
} from '#server/features/content-creator/contents.rest.ts';

export const contentCreator = feature(
  [
    ...courseEndpoints,
    ...contentEndpoints,
    ...contentFileEndpoints,
    ...contentPartEndpoints,
    ...designedContentEndpoints,
    ...questionFileEndpoints,
    ...courseFileEndpoints,
    ...contentPresenceEndpoints,
  ],
  (services) => ({
    ...courseHandlers(services),
    ...contentHandlers(services),
    ...contentFileHandlers(services),
    ...contentPartHandlers(services),
    ...designedContentHandlers(services),
    ...questionFileHandlers(services),
    ...courseFileHandlers(services),
    ...contentPresenceHandlers(services),
  }),
  { graph: contentGraph },
);
