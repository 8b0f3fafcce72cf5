import type { Mark, Register } from '#contract/entities/training-session.ts';
import { type GradingMethod, outcomeWords } from '#src/offline/kinds/register/outcome-words.ts';

/** What completes a session, in words. */
export const gradingWords = ({ grading_method, pass_mark }: Pick<Register, 'grading_method' | 'pass_mark'>): string =>
  ({
    attendance: 'completed by attending',
    practical: 'completed by passing the practical part',
    pass_fail: 'completed by passing',
    score: `completed by a score of at least ${pass_mark}`,
    practical_theory: 'completed by passing the practical and the theory',
  })[grading_method];

/** A mark in one line: Here, from 09:50, practical passed. */
export const markLine = (mark: Omit<Mark, 'id' | 'by' | 'at'>, grading?: GradingMethod): string =>
  [
    mark.presence === 'present' ? 'Here' : 'Absent',
    mark.arrived && `from ${mark.arrived}`,
    mark.left && `until ${mark.left}`,
    outcomeWords(mark, grading),
    mark.note && `“${mark.note}”`,
  ]
    .filter(Boolean)
    .join(', ');
