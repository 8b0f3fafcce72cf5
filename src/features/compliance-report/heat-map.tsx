import { Link } from 'react-router-dom';
import type { ComplianceReport } from '#contract/entities/compliance-report.ts';
import classes from '#src/features/compliance-report/compliance-report.module.css';
import { scoreOf } from '#src/features/compliance-report/report-view.ts';
import { Score } from '#src/features/compliance-report/score-cell.tsx';

type Props = {
  label: string;
  head: string;
  courses: ComplianceReport['courses'];
  entities: ComplianceReport['entities'];
  to: (entity: string, course: string) => string;
};
/** The score of each course at each organisation. */
export const HeatMap = ({ label, head, courses, entities, to }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
  <section className={classes.scroll} tabIndex={0} aria-label={`${label}, can be moved sideways`}>
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {courses.map(({ id, title }) => (
            <th key={id} scope="col" className={classes.upright}>
              <span>{title}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entities.map((entity) => (
          <tr key={entity.id}>
            <th scope="row">{entity.name}</th>
            {courses.map((course, i) => {
              const [inDate, required] = [entity.course_in_date[i] ?? 0, entity.course_required[i] ?? 0];
              const score = scoreOf(inDate, required);
              return (
                <td key={course.id}>
                  {score !== null ? (
                    <Link
                      className={classes.behind}
                      to={to(entity.id, course.id)}
                      aria-label={`${course.title} at ${entity.name}: ${score} %, ${inDate} of ${required} in date. Who is behind it?`}
                    >
                      <Score score={score} />
                    </Link>
                  ) : (
                    <Score score={score} />
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
