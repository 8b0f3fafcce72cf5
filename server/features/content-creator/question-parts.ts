import { createHash } from 'node:crypto';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { type HidingName, partsOfQuestion as partsBy } from '#contract/rules/question-parts.ts';

const hashed: HidingName = (question, choice) => createHash('sha256').update(`${question}:${choice}`).digest('hex').slice(0, 12);

/** An authored question split into what learners get and what only the server has. */
export const partsOfQuestion = (question: AuthoredQuestion & { id: string }) => partsBy(question, hashed);
