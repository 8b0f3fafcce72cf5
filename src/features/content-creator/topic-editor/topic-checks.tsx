import layout from '#src/ui/page.module.css';
import { useMemo } from 'react';
import type { Block } from '#contract/entities/content.ts';
import { readabilityOf } from '#contract/rules/readability.ts';
import { type TopicProblem, topicProblems } from '#contract/rules/topic-problems.ts';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import { countOf } from '#src/lib/format.ts';
import { IconAlert, IconCheck, IconChevronRight } from '#src/ui/icons.tsx';

/** Above this reading age a text is hard for many who learn at work, or in a second language. */
const easyUntil = 12;

/** The reading time and reading age of a topic, and its accessibility problems, each with a link to its place. */
export const TopicChecks = ({ blocks, onGoTo }: { blocks: readonly Block[]; onGoTo: (problem: TopicProblem) => void }) => {
  const { words, minutes, age } = useMemo(() => readabilityOf(blocks), [blocks]);
  const problems = useMemo(() => topicProblems(blocks), [blocks]);
  return (
    <section className={`${layout.stack} ${classes.checks}`} aria-label="Reading and accessibility">
      <p className={`${layout.line} ${classes.figures}`}>
        <span>{countOf(words, 'word')}</span>
        <span>{minutes === 0 ? 'Nothing to read yet' : `About ${countOf(minutes, 'minute')} to read`}</span>
        {age !== null && (
          <span title="By the formula of Flesch and Kincaid, from the length of words and sentences">
            Reading age about {age}
            {age > easyUntil && ': shorter sentences and words make it easier'}
          </span>
        )}
      </p>
      {problems.length === 0 ? (
        words > 0 && (
          <p className={classes.fine}>
            <IconCheck size={20} /> No accessibility problems found.
          </p>
        )
      ) : (
        <>
          <h3>{countOf(problems.length, 'accessibility problem')}</h3>
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.block}:${problem.path.join('.')}:${problem.message}`}>
                <button type="button" onClick={() => onGoTo(problem)}>
                  <IconAlert size={20} />
                  <span>{problem.message}</span>
                  <IconChevronRight size={20} />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};
