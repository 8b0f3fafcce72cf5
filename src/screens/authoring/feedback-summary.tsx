import shapes from '#src/ui/shapes.module.css';
import { type FeedbackSummary as Summary, fewestForAverage } from '#contract/entities/feedback.ts';
import { countOf } from '#src/lib/format.ts';
import classes from '#src/screens/authoring/feedback.module.css';
import { PointsChart } from '#src/screens/widgets/points-chart.tsx';
import { Section } from '#src/ui/section.tsx';

const monthWords = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const fromBest = [5, 4, 3, 2, 1];

/** The ratings of contents, in total and by month. */
export const FeedbackSummary = ({ summary: { people, average, stars, months } }: { summary: Summary }) => (
  <Section title="Ratings">
    {people === 0 ? (
      <p className={shapes.muted}>Nobody has rated anything here yet. People are asked when they have completed a course.</p>
    ) : (
      <div className={classes.rated}>
        <div>
          <p className={classes.average}>
            {average === null ? 'Rated' : `${average.toFixed(1)} of 5`}
            <small>by {countOf(people, 'person', 'people')}</small>
          </p>
          {stars && (
            <ul className={classes.stars}>
              {fromBest.map((n) => (
                <li key={n}>
                  {countOf(n, 'star')}: {(stars[n - 1] ?? 0).toLocaleString('en-GB')}
                </li>
              ))}
            </ul>
          )}
        </div>
        {average !== null && (
          <PointsChart
            label="Average rating of each month"
            heads={['Month', 'Average', 'People']}
            most={5}
            points={months.map(({ month, people: n, average: of }) => ({
              ...{ id: month, name: monthWords.format(new Date(`${month}-01T00:00:00Z`)), value: of ?? 0, more: [n] },
              ...(of === null ? { words: n === 0 ? 'No rating' : 'Too few' } : { words: of.toFixed(1) }),
            }))}
          />
        )}
      </div>
    )}
    <p className={shapes.muted}>
      Of your organisation and those below it; of each person the newest rating. Below {fewestForAverage} people there is no average.
    </p>
  </Section>
);
