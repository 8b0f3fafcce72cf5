import type { FromPlayer } from '#contract/bridge.ts';
import { IconAlert } from '#src/ui/icons.tsx';
import classes from '#src/ui/package-problems.module.css';

export type PlayerProblem = Extract<FromPlayer, { type: 'problem' }>;
const sentenceOf = ({ problem, detail }: PlayerProblem): string =>
  problem === 'too-large' || problem === 'unheard'
    ? `Something that ${detail ? `“${detail}”` : 'this course'} reported ${problem === 'too-large' ? 'is too large to save' : 'could not be saved'}. Everything saved before is kept. Please tell the author of the course.`
    : problem === 'missing'
      ? `A page of this course is missing: ${detail}. Please tell the author of the course. Your work is saved.`
      : problem === 'blocked'
        ? `This course tried to load something from ${detail}. Courses can only use their own files, so that part is not shown.`
        : `Something in this course does not work: ${detail}. Your work is saved.`;

/** Problems of a package, shown to the learner. */
export const PackageProblems = ({ problems }: { problems: readonly PlayerProblem[] }) =>
  problems.map((p) => (
    <p key={`${p.problem} ${p.detail}`} className={classes.problem} role="status">
      <IconAlert size={20} /> {sentenceOf(p)}
    </p>
  ));
/** The most recent problems, without duplicates. */
export const withProblem = (all: readonly PlayerProblem[], one: PlayerProblem): PlayerProblem[] =>
  [...all.filter((p) => p.detail !== one.detail || p.problem !== one.problem), one].slice(-3);
export const packageNotSaved = 'This could not be saved on this device. It may be full: remove a course you do not need, then continue.';
