import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { authoredTypes } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { contentCreate, contentList, contentWords } from '#src/features/content-creator/content-words.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { Section } from '#src/ui/section.tsx';
import layout from '#src/ui/page.module.css';

type Count = (signal: AbortSignal) => Promise<Result<unknown>>;
type Kind = { to: string; title: string; about: string; count: Count };

const few = { per_page: 1 };
const quiet = (signal: AbortSignal) => ({ signal, quiet: true });
const courses: Kind = {
  to: pathTo('content-creator-courses'),
  title: 'Courses',
  about: 'What people need to have done. Each holds what they learn in it.',
  count: (signal) => call('GET /courses', { query: few }, quiet(signal)),
};
const kinds: readonly Kind[] = [
  courses,
  ...authoredTypes.map((type) => ({
    to: contentList(type),
    title: contentWords[type].title,
    about: contentWords[type].about,
    count: (signal: AbortSignal) => call('GET /content', { query: { ...few, type } }, quiet(signal)),
  })),
];
const parts: readonly Kind[] = [
  {
    to: pathTo('content-creator-lessons'),
    title: 'Lessons',
    about: 'Topics in their order. One lesson can stand in several e-learnings.',
    count: (signal) => call('GET /lessons', { query: few }, quiet(signal)),
  },
  {
    to: pathTo('content-creator-topics'),
    title: 'Topics',
    about: 'Pages of text, pictures, videos and activities.',
    count: (signal) => call('GET /topics', { query: few }, quiet(signal)),
  },
  {
    to: pathTo('content-creator-quizzes'),
    title: 'Quizzes',
    about: 'Questions that show what somebody has understood.',
    count: (signal) => call('GET /quizzes', { query: few }, quiet(signal)),
  },
  {
    to: pathTo('content-creator-h5ps'),
    title: 'H5P activities',
    about: 'Small activities for the topics of a course: questions, scenes, checks.',
    count: (signal) => call('GET /h5ps', { query: few }, quiet(signal)),
  },
];

/** How many there are of each, by its address; nothing of those that could not be counted. */
const useCounts = (): { counts: Record<string, number>; offline: boolean } => {
  const { state } = useReadOf<{ counts: Record<string, number>; offline: boolean }>(['content-counts'], async (signal) => {
    const all = [...kinds, ...parts];
    const answers = await Promise.all(all.map(({ count }) => count(signal)));
    const counted = answers.flatMap((answer, i) =>
      answer.kind === 'ok' ? [[all[i]?.to ?? '', (answer.meta as { total?: number } | undefined)?.total ?? 0] as const] : [],
    );
    if (counted.length === 0 && answers.every(({ kind }) => kind === 'unreachable')) return { kind: 'unreachable' };
    return { kind: 'ok', data: { counts: Object.fromEntries(counted), offline: false } };
  });
  return state.kind === 'here' ? state.thing : { counts: {}, offline: state.kind === 'offline' };
};

const Kinds = ({ of, counts }: { of: readonly Kind[]; counts: Record<string, number> }) => (
  <ul className={classes.kinds}>
    {of.map(({ to, title, about }) => (
      <li key={to}>
        <Link to={to} className={`app-card ${classes.kind}`}>
          <strong>
            {title}
            <span className={classes.howMany}>{counts[to]?.toLocaleString('en-GB')}</span>
          </strong>
          <span>{about}</span>
        </Link>
      </li>
    ))}
  </ul>
);

/** Where content is made: what to do next, and a way in for each kind with how many there are. */
export const Component = () => {
  const user = useSession();
  const { counts, offline } = useCounts();
  const none = counts[courses.to] === 0;
  return (
    <DetailPage
      title="Content"
      about={[none ? 'Your organisation has no courses yet.' : 'What people in your organisation learn.']}
      actions={
        can(user, 'course.create') && (
          <Button component={Link} to={pathTo('content-creator-courses-create')}>
            Make a course
          </Button>
        )
      }
    >
      {offline && (
        <p className={layout.notice} data-tone="warning" role="status">
          There is no connection. Content is made and changed with one.
        </p>
      )}
      <Section title="From an idea to a course that people take">
        <ol className={classes.stages}>
          <li>
            <strong>Make a course</strong>
            <span>Its name, and how long it counts. Job roles ask for courses.</span>
          </li>
          <li>
            <strong>Add what people learn</strong>
            <span>
              {can(user, 'content.create') ? <Link to={contentCreate('elearning')}>E-learning</Link> : 'E-learning'} with lessons, topics and a quiz;
              or a file that you have bought; or training in a room.
            </span>
          </li>
          <li>
            <strong>Publish it</strong>
            <span>People take it on their tablet, without a connection too. Later changes harm nobody who has begun.</span>
          </li>
        </ol>
      </Section>
      <section aria-label="Courses and their contents" className={classes.kindGroup}>
        <h2 className={classes.kindTitle}>Courses and their contents</h2>
        <Kinds of={kinds} counts={counts} />
      </section>
      <section aria-label="What e-learning is made of" className={classes.kindGroup}>
        <h2 className={classes.kindTitle}>What e-learning is made of</h2>
        <Kinds of={parts} counts={counts} />
      </section>
    </DetailPage>
  );
};
