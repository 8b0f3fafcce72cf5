import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { ContentLine } from '#contract/entities/authored-content.ts';
import { designLimits } from '#contract/entities/design.ts';
import { DesignedContent, designedContentFields } from '#contract/entities/designed-content.ts';
import { Choice, Count, Id } from '#contract/entities/fields.ts';

/**
 * Contents of the content designer. A designed content is an e-learning content whose parts are pages of blocks, so the calls for contents
 * (publish, versions, copy, delete, and all that courses do with contents) apply to it too.
 */

const byId = z.object({ id: Id });
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const ours = { ours: true, offline: 'online-only' } as const;

export const listDesignedContents = endpoint({
  ...{ id: 'listDesignedContents', method: 'GET', path: '/designed-contents', ...ours },
  summary: 'Lists the designed contents that the caller’s organisation has created or been assigned, in pages.',
  query: z.object({ ...pageQuery, ...sortQuery(sorts.contents) }),
  response: z.array(ContentLine),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['content.creator'],
});
export const createDesignedContent = endpoint({
  ...{ id: 'createDesignedContent', method: 'POST', path: '/designed-contents', ...ours },
  summary: 'Adds a designed content to a course, as a draft of the caller’s organisation: an e-learning content whose parts are pages of blocks.',
  body: z.object({
    course_id: Choice('Choose the course that this is for.'),
    title: designedContentFields.title,
    design: designedContentFields.design,
  }),
  bodyLimitBytes: designLimits.bodyBytes,
  response: DesignedContent,
  status: 201,
  errors: writeErrors,
  access: ['content.create'],
});
export const getDesignedContent = endpoint({
  ...{ id: 'getDesignedContent', method: 'GET', path: '/designed-contents/{id}', ...ours },
  summary: 'Returns a designed content with its design, the answers of its questions included. Only one’s own organisation’s.',
  params: byId,
  response: DesignedContent,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'content.update'],
});
export const updateDesignedContent = endpoint({
  ...{ id: 'updateDesignedContent', method: 'PATCH', path: '/designed-contents/{id}', ...ours },
  summary:
    'Changes the working copy of a designed content; learners see it when it is published (POST /content/{id}/publish). If `rev` is sent and is not the current one, answers 409 with `current`.',
  params: byId,
  body: z.partial(z.object({ ...designedContentFields, rev: Count })),
  bodyLimitBytes: designLimits.bodyBytes,
  response: DesignedContent,
  errors: ['rev_mismatch', ...writeErrors],
  access: ['content.update'],
});

export const designedContentEndpoints = [listDesignedContents, createDesignedContent, getDesignedContent, updateDesignedContent] as const;
