import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { NeededLine } from '#contract/entities/fields.ts';
import { partLimits } from '#contract/entities/authored-parts.ts';
import { QuestionFile, questionFileLimits, TakenQuestions } from '#contract/entities/question-file.ts';

export const readQuestionFile = endpoint({
  ...{ id: 'readQuestionFile', method: 'POST', path: '/questions/read', ours: true, response: QuestionFile, offline: 'online-only' },
  query: z.object({ name: NeededLine(255, 'The file has no name.') }),
  upload: { types: ['application/octet-stream'], limitBytes: questionFileLimits.bytes },
  summary:
    'Reads the questions of a file sent as the request body: GIFT, QTI 1.2, 2.1 or 2.2 as an item or a package, Moodle XML, or a Common Cartridge, of which only the questions are read. Writes nothing. The answer has each question as POST /quizzes takes it, or says why it cannot be taken; what of it is left behind; and how many pictures come along when it is taken (POST /questions/take).',
  errors: ['body_too_large', 'unsupported_media', 'invalid_input', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.create', 'content.update'],
});

const chosen = z.string().check(
  z.regex(/^\d{1,3}(,\d{1,3})*$/, 'Name questions by their numbers, from 0, with commas between them.'),
  z.refine((list) => list.split(',').length <= partLimits.questions, `Take no more than ${partLimits.questions} questions at once.`),
);
export const takeQuestions = endpoint({
  ...{ id: 'takeQuestions', method: 'POST', path: '/questions/take', ours: true, response: TakenQuestions, offline: 'online-only' },
  query: z.object({ name: NeededLine(255, 'The file has no name.'), questions: chosen }),
  upload: { types: ['application/octet-stream'], limitBytes: questionFileLimits.bytes },
  summary:
    'Takes the pictures of questions into the organisation. The request body is the file that POST /questions/read has read, which is not kept; `questions` says which of those that were found, from 0: “0,3”. Answers them with their pictures, as POST /quizzes takes them: the questions themselves are not written. A picture that cannot be used is named, and its question comes without it.',
  errors: ['body_too_large', 'unsupported_media', 'invalid_input', 'unavailable', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.create', 'content.update'],
});

export const questionFileEndpoints = [readQuestionFile, takeQuestions] as const;
