import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id } from '#contract/entities/fields.ts';
import { CoursePackage, packageLimits } from '#contract/entities/package.ts';

export const uploadPackage = endpoint({
  id: 'uploadPackage',
  method: 'POST',
  path: '/packages',
  ours: true,
  summary:
    'Uploads a course package (SCORM 1.2 or 2004, or H5P) as the request body. Faults are returned as `problems`: the file, the fault and how to fix it.',
  query: z.object({ kind: z.enum(['scorm', 'h5p']) }),
  upload: { types: ['application/zip', 'application/octet-stream'], limitBytes: packageLimits.uploadBytes },
  response: CoursePackage,
  status: 201,
  errors: ['package_refused', 'body_too_large', 'unsupported_media', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.create', 'content.update', 'content.creator'],
  offline: 'online-only',
});
export const getPackage = endpoint({
  id: 'getPackage',
  method: 'GET',
  path: '/packages/{id}',
  ours: true,
  summary: 'Returns a course package: its contents and the warnings from its upload.',
  params: z.object({ id: Id }),
  response: CoursePackage,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.create', 'content.update', 'content.creator'],
  offline: 'online-only',
});

export const packageEndpoints = [uploadPackage, getPackage] as const;
