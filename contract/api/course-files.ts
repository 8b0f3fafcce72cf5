import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Content, contentFields } from '#contract/entities/authored-content.ts';
import { CourseInFile } from '#contract/entities/course-file.ts';
import { Choice, Id } from '#contract/entities/fields.ts';

const byId = z.object({ id: Id });
const common = { ours: true, offline: 'online-only' } as const;

export const exportContent = endpoint({
  ...{ id: 'exportContent', method: 'GET', path: '/content/{id}/export', ...common, params: byId, file: 'application/zip' },
  summary:
    'Returns the working copy of an e-learning content of the caller’s organisation with its lessons, topics, quizzes, files and H5P packages as one ZIP archive, to be taken to another organisation or server. Holds the answers of its questions.',
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'],
  access: ['content.update'],
});
export const courseInFile = endpoint({
  ...{ id: 'courseInFile', method: 'GET', path: '/content/imports/{id}', ...common, params: byId, response: CourseInFile },
  summary:
    'Says what a course in a file holds, what of it is here already, and what would not be taken and why. The file was sent with POST /content/files as one of the kind `course`; `id` is the one of that upload. Writes nothing.',
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'],
  access: ['content.create'],
});
export const importContent = endpoint({
  ...{ id: 'importContent', method: 'POST', path: '/content/imports/{id}', ...common, params: byId, status: 201 },
  response: z.object({ ...Content.shape, left_out: CourseInFile.shape.left_out }),
  body: z.object({ title: contentFields.title, course_id: Choice('Choose the course that this is for.') }),
  summary:
    'Makes an unpublished e-learning content of a course in a file, in the caller’s organisation. Files and H5P packages are checked as when they are uploaded; a package that is refused is left behind with its activity, and named in `left_out`. The sent file is deleted.',
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.create'],
});

export const courseFileEndpoints = [exportContent, courseInFile, importContent] as const;
