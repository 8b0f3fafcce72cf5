import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { QuestionBlock } from '#contract/entities/content.ts';
import { type HidingName, partsOfQuestion, practiceInput } from '#contract/rules/question-parts.ts';
import { draftOf, emptyQuestion, inputOf, type QuestionDraft } from '#src/screens/authoring/question-draft.ts';

/** Where a thing belongs is in the answer beside it: that its name does not say so is enough (FNV-1a). */
const hidden: HidingName = (question, choice) => {
  let hash = 0x811c9dc5;
  for (const letter of `${question}:${choice}`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
};

/** What is asked and what is right, parted as for a learner. */
export const practiceParts = (question: AuthoredQuestion & { id: string }) => partsOfQuestion(question, hidden);

/** A question for practice as a topic holds it, finished or not. */
export const practiceBlock = (draft: QuestionDraft, id: string): QuestionBlock => {
  const { question, key } = practiceParts({ ...(inputOf(draft) as AuthoredQuestion), id });
  return { kind: 'question', question, key: draft.kind === 'true_false' && draft.correct === null ? null : key };
};
/** A question for practice, to be changed. */
export const practiceDraft = (block: QuestionBlock): QuestionDraft => {
  const written = practiceInput(block) as AuthoredQuestion;
  const draft = draftOf(written, block.question.id);
  return { ...draft, correct: draft.correct ?? null };
};
/** A new question for practice: nothing of it is written, or it is a copy of one that is. */
export const newPractice = (of?: AuthoredQuestion): QuestionBlock => {
  const id = crypto.randomUUID();
  return practiceBlock(of ? draftOf(of, id) : emptyQuestion('single', id), id);
};
