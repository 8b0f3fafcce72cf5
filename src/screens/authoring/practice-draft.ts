import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { QuestionBlock } from '#contract/entities/content.ts';
import { type HidingName, partsOfQuestion, practiceInput } from '#contract/rules/question-parts.ts';
import { draftOf, emptyQuestion, inputOf, type QuestionDraft } from '#src/screens/authoring/question-draft.ts';

/** A name that does not reveal a position is enough here, because the answer is sent along (FNV-1a). */
const hidden: HidingName = (question, choice) => {
  let hash = 0x811c9dc5;
  for (const letter of `${question}:${choice}`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
};

/** The question and its answer key, split as for a learner. */
export const practiceParts = (question: AuthoredQuestion & { id: string }) => partsOfQuestion(question, hidden);

/** A practice question as stored in a topic, finished or not. */
export const practiceBlock = (draft: QuestionDraft, id: string): QuestionBlock => {
  const { question, key } = practiceParts({ ...(inputOf(draft) as AuthoredQuestion), id });
  if (draft.kind !== 'true_false' || draft.correct !== null) return { kind: 'question', question, key };
  return { kind: 'question', question, key: null, ...(draft.feedback ? { feedback: draft.feedback } : {}) };
};
/** The draft of a stored practice question. */
export const practiceDraft = (block: QuestionBlock): QuestionDraft => {
  const written = practiceInput(block) as AuthoredQuestion;
  const draft = draftOf(written, block.question.id);
  return { ...draft, correct: draft.correct ?? null };
};
/** A new practice question: empty, or a copy. */
export const newPractice = (authored?: AuthoredQuestion): QuestionBlock => {
  const id = crypto.randomUUID();
  return practiceBlock(authored ? draftOf(authored, id) : emptyQuestion('single', id), id);
};
