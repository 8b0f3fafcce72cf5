import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { Choice, Id } from '#contract/entities/fields.ts';
import { H5p, H5pDetail, H5pTitle, H5pVersion } from '#contract/entities/h5p.ts';

const byId = z.object({ id: Id });

export const listH5ps = endpoint({
  id: 'listH5ps',
  method: 'GET',
  path: '/h5ps',
  summary: 'Lists the H5P activities of the caller’s organisation, newest first, in pages.',
  query: z.object({ ...pageQuery, ...sortQuery(sorts.h5ps) }),
  response: z.array(H5p),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['content.creator'],
  offline: 'online-only',
});
export const createH5p = endpoint({
  id: 'createH5p',
  method: 'POST',
  path: '/h5ps',
  summary: 'Adds an H5P activity from a package uploaded earlier (POST /packages).',
  body: z.object({ title: H5pTitle, package_id: Choice('Choose the file of the activity first.') }),
  response: H5pDetail,
  status: 201,
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.creator'],
  offline: 'online-only',
});
export const getH5p = endpoint({
  id: 'getH5p',
  method: 'GET',
  path: '/h5ps/{id}',
  summary: 'An H5P activity.',
  params: byId,
  response: H5pDetail,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.creator'],
  offline: 'online-only',
});
export const listH5pVersions = endpoint({
  id: 'listH5pVersions',
  method: 'GET',
  path: '/h5ps/{id}/versions',
  ours: true,
  summary: 'Lists the files that an activity has had, the latest first, with where each is used.',
  params: byId,
  response: z.array(H5pVersion),
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.creator'],
  offline: 'online-only',
});
export const updateH5p = endpoint({
  id: 'updateH5p',
  method: 'PATCH',
  path: '/h5ps/{id}',
  summary: 'Changes the title or package of an H5P activity. Courses that use it keep their current package.',
  params: byId,
  body: z.object({ title: z.optional(H5pTitle), package_id: z.optional(Id) }),
  response: H5pDetail,
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.creator'],
  offline: 'online-only',
});
export const deleteH5p = endpoint({
  id: 'deleteH5p',
  method: 'DELETE',
  path: '/h5ps/{id}',
  summary: 'Removes an H5P activity from the library. Courses that use it keep it.',
  params: byId,
  status: 204,
  errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.creator'],
  offline: 'online-only',
});

export const h5pEndpoints = [listH5ps, createH5p, getH5p, listH5pVersions, updateH5p, deleteH5p] as const;
