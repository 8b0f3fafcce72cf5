import type { MarkArgs, Register } from '#contract/entities/training-session.ts';

export type GradingMethod = Register['grading_method'];
/** Somebody's outcome in words: practical passed, theory not yet, score 85. Empty if it is not recorded. */
export const outcomeWords = ({ outcome, score, theory }: Pick<MarkArgs, 'outcome' | 'score' | 'theory'>, grading?: GradingMethod): string => {
  const part = grading === 'pass_fail' ? '' : 'practical ';
  const words = { passed: 'passed', not_yet: 'not yet' } as const;
  return [outcome && `${part}${words[outcome]}`, theory && `theory ${words[theory]}`, typeof score === 'number' && `score ${score}`]
    .filter(Boolean)
    .join(', ');
};
