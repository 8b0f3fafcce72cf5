import type { FromPlayer } from '#contract/bridge.ts';
import { IconAlert } from '#src/ui/icons.tsx';
import classes from '#src/ui/package-problems.module.css';

export type PlayerProblem = Extract<FromPlayer, { type: 'problem' }>;
const sentenceOf = ({ problem, detail }: PlayerProblem): string =>
  problem === 'too-large' || problem === 'unheard'
    ? `Something that ${detail ? `“${detail}”` : 'this course'} reported ${problem === 'too-large' ? 'is too large to be kept' : 'could not be kept'}. What was kept before stays. Tell whoever made the course.`
    : problem === 'missing'
      ? `A page of this course is missing: ${detail}. Tell whoever made the course; what you have done is kept.`
      : problem === 'blocked'
        ? `This course tried to load something from ${detail}. Courses may only use what they bring with them, so that part is not shown.`
        : `Something in this course does not work: ${detail}. What you have done is kept.`;

/** What is wrong with a package, for the person who takes it. */
export const PackageProblems = ({ problems }: { problems: readonly PlayerProblem[] }) =>
  problems.map((p) => (
    <p key={`${p.problem} ${p.detail}`} className={classes.problem} role="status">
      <IconAlert size={20} /> {sentenceOf(p)}
    </p>
  ));
/** The newest problems, each once. */
export const withProblem = (all: readonly PlayerProblem[], one: PlayerProblem): PlayerProblem[] =>
  [...all.filter((p) => p.detail !== one.detail || p.problem !== one.problem), one].slice(-3);
export const packageNotSaved = 'This could not be saved on the tablet. It may be full: remove a course that you do not need, then go on.';
