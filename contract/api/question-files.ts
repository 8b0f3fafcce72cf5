import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { NeededLine } from '#contract/entities/fields.ts';
import { QuestionFile, questionFileLimits } from '#contract/entities/question-file.ts';

export const readQuestionFile = endpoint({
  ...{ id: 'readQuestionFile', method: 'POST', path: '/questions/read', ours: true, response: QuestionFile, offline: 'online-only' },
  query: z.object({ name: NeededLine(255, 'The file has no name.') }),
  upload: { types: ['application/octet-stream'], limitBytes: questionFileLimits.bytes },
  summary:
    'Reads the questions of a file sent as the request body: GIFT, QTI 1.2, 2.1 or 2.2 as an item or a package, Moodle XML, or a Common Cartridge, of which only the questions are read. Writes nothing. The answer has each question as POST /quizzes takes it, or says why it cannot be taken; and what of it is left behind.',
  errors: ['body_too_large', 'unsupported_media', 'invalid_input', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.create', 'content.update'],
});

export const questionFileEndpoints = [readQuestionFile] as const;
