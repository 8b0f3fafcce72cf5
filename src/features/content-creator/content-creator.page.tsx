import { Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import classes from '#src/features/content-creator/content-creator.module.css';
import layout from '#src/ui/page.module.css';

const kinds = [
  {
    to: pathTo('content-creator-content-by-type', { type: 'scorm' }),
    title: 'SCORM courses',
    about: 'Whole courses that your organisation has bought or made with an authoring tool.',
  },
  { to: pathTo('content-creator-h5ps'), title: 'H5P activities', about: 'Small activities for the topics of a course: questions, scenes, checks.' },
];

/** Where content is made: one way in for each kind. */
export const Component = () => (
  <div className={layout.page}>
    <Title order={1} className={layout.title}>
      Content
    </Title>
    <ul className={classes.kinds}>
      {kinds.map(({ to, title, about }) => (
        <li key={to}>
          <Link to={to} className={`app-card ${classes.kind}`}>
            <strong>{title}</strong>
            <span>{about}</span>
          </Link>
        </li>
      ))}
    </ul>
  </div>
);
