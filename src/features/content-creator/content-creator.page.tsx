import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { authoredTypes, type ContentOverview } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { contentCreate, contentList, contentPage, contentWords } from '#src/screens/authoring/content-words.ts';
import { countOf } from '#src/lib/format.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';

type Kind = {
  to: string;
  title: string;
  about: string;
  /** The number of each; absent if they are counted with others. */
  of?: (overview: ContentOverview) => number;
};

const courses: Kind = {
  to: pathTo('content-creator-courses'),
  title: 'Courses',
  about: 'What people need to have done. Each holds what they learn in it.',
  of: (o) => o.courses,
};
const kinds: readonly Kind[] = [
  courses,
  {
    to: pathTo('content-designer'),
    title: 'Designed contents',
    about: 'Pages laid out from blocks: inductions, policies to read and sign, competence checks, toolbox talks.',
  },
  ...authoredTypes.map((type) => ({
    to: contentList(type),
    title: contentWords[type].title,
    about: contentWords[type].about,
    of: (o: ContentOverview) => o.contents[type],
  })),
  {
    to: pathTo('content-creator-feedback'),
    title: 'Feedback',
    about: 'What learners rate, ask, and report as wrong; your answers reach them offline too.',
  },
];
const parts: readonly Kind[] = [
  {
    to: pathTo('content-creator-lessons'),
    title: 'Lessons',
    about: 'Topics in their order. One lesson can be used in several e-learnings.',
    of: (o) => o.lessons,
  },
  {
    to: pathTo('content-creator-topics'),
    title: 'Topics',
    about: 'Pages of text, pictures, videos and activities.',
    of: (o) => o.topics,
  },
  {
    to: pathTo('content-creator-quizzes'),
    title: 'Quizzes',
    about: 'Questions that show what somebody has understood.',
    of: (o) => o.quizzes,
  },
  {
    to: pathTo('content-creator-h5ps'),
    title: 'H5P activities',
    about: 'Small activities for the topics of a course: questions, scenes, checks.',
    of: (o) => o.h5ps,
  },
];
/** Feedback that waits for an answer, in a line. */
const waiting = ({ feedback: { question, problem } }: ContentOverview): string =>
  [question > 0 && countOf(question, 'open question'), problem > 0 && countOf(problem, 'reported problem')].filter(Boolean).join(' and ');
const shownChanged = 5;
/** The overall state, in a line. */
const standing = ({ courses: all, drafts, changed }: ContentOverview): string =>
  all === 0
    ? 'Your organisation has no courses yet.'
    : [
        countOf(all, 'course'),
        drafts > 0 && `${countOf(drafts, 'e-learning')} never published`,
        changed.length > 0 && `${countOf(changed.length, 'e-learning')} with changes that are not published`,
      ]
        .filter(Boolean)
        .join(' · ');

const Kinds = ({ of: listed, overview }: { of: readonly Kind[]; overview: ContentOverview | null }) => (
  <ul className={`${layout.plain} ${classes.kinds}`}>
    {listed.map(({ to, title, about, of }) => (
      <li key={to}>
        <Link to={to} className={`app-card ${classes.kind}`}>
          <strong>
            {title}
            <span className={classes.howMany}>{overview && of?.(overview).toLocaleString('en-GB')}</span>
          </strong>
          <span>{about}</span>
        </Link>
      </li>
    ))}
  </ul>
);

/** The start page for authors: what to do next, and a link for each kind with its number. */
export const Component = () => {
  const user = useSession();
  const { state, retry } = useRead('GET /content/overview', {});
  const overview = state.kind === 'loaded' ? state.data : null;
  return (
    <DetailPage
      title="Content"
      about={[overview ? standing(overview) : 'What people in your organisation learn.']}
      actions={
        can(user, 'course.create') && (
          <Button component={Link} to={pathTo('content-creator-courses-create')}>
            Make a course
          </Button>
        )
      }
    >
      {state.kind !== 'loaded' && state.kind !== 'loading' && (
        <ReadPlaceholder state={state} retry={retry} loading="Counting" offline="There is no connection. Content is made and changed with one." />
      )}
      {overview && waiting(overview) !== '' && (
        <Section title="Learners wait for an answer">
          <Link to={`${pathTo('content-creator-feedback')}?filter=open`}>{waiting(overview)}</Link>
        </Section>
      )}
      {overview && overview.changed.length > 0 && (
        <Section title="Changed, and not published">
          <p className={shapes.muted}>People still take what was published last.</p>
          <ul className={layout.list}>
            {overview.changed.slice(0, shownChanged).map((c) => (
              <li key={c.id} style={{ overflowWrap: 'anywhere' }}>
                <Link to={contentPage(c, 'elearning')}>{c.title}</Link>
              </li>
            ))}
          </ul>
          {overview.changed.length > shownChanged && (
            <Link to={`${contentList('elearning')}?sort=-updated_at`}>All e-learning, the latest change first</Link>
          )}
        </Section>
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
      <section aria-label="Courses and their contents" className={layout.stack}>
        <h2 className={classes.kindTitle}>Courses and their contents</h2>
        <Kinds of={kinds} overview={overview} />
      </section>
      <section aria-label="What e-learning is made of" className={layout.stack}>
        <h2 className={classes.kindTitle}>What e-learning is made of</h2>
        <Kinds of={parts} overview={overview} />
      </section>
    </DetailPage>
  );
};
