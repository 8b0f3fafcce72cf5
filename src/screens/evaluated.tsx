import type { Evaluated as Figures } from '#contract/entities/evaluation.ts';
import { fewestAnswers } from '#contract/entities/evaluation.ts';
import { countOf } from '#src/lib/format.ts';
import classes from '#src/screens/evaluated.module.css';
import layout from '#src/ui/page.module.css';

/** 4.3 of 5 */
export const averageWords = (average: number | null): string => (average === null ? 'Too few ratings' : `${average.toFixed(1)} of 5`);

/** The evaluations of training: averages and anonymous comments, once enough people have answered. */
export const Evaluated = ({ evaluated: { asked, answered, course, trainer, comments } }: { evaluated: Figures }) => (
  <>
    <p className={layout.count}>
      {answered.toLocaleString('en-GB')} of {countOf(asked, 'person who was there', 'people who were there')} answered.
    </p>
    {answered < fewestAnswers ? (
      <p style={{ margin: 0 }}>Too few answers to show. Averages and comments appear from {fewestAnswers} answers on, without names.</p>
    ) : (
      <>
        <dl className={classes.figures}>
          {(
            [
              ['Course', course],
              ['Trainer', trainer],
            ] as const
          ).map(([name, average]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{averageWords(average)}</dd>
            </div>
          ))}
        </dl>
        {comments.length > 0 && (
          <ul className={`${layout.list} ${classes.comments}`} aria-label="Comments">
            {comments.map((comment, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: comments have no ids and may be equal
              <li key={i}>{comment}</li>
            ))}
          </ul>
        )}
      </>
    )}
  </>
);
