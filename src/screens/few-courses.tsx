import layout from '#src/ui/page.module.css';

/** So many are read at a glance. */
const most = 3;

/** The first titles of a list, and how many more there are. All of them stand where the row leads. */
export const FewCourses = ({ courses }: { courses: readonly { title: string }[] }) => {
  const more = courses.length > most + 1 ? courses.length - most : 0;
  const titles = courses.slice(0, more > 0 ? most : courses.length).map((c) => c.title);
  return (
    <span className={layout.soft}>
      {titles.join(', ')}
      {more > 0 && (
        <>
          {' '}
          <b>and {more.toLocaleString('en-GB')} more</b>
        </>
      )}
    </span>
  );
};
