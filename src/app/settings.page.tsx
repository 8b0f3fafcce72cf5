import { Title } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import classes from '#src/app/layouts/settings-list.module.css';
import { useSettings } from '#src/app/layouts/use-settings.ts';
import layout from '#src/ui/page.module.css';

/** All settings of an organisation, in one place. */
export const Component = () => {
  const { slug = '' } = useParams();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Settings
      </Title>
      <ul className={classes.cards}>
        {useSettings(slug).map(({ title, about, to }) => (
          <li key={to}>
            <Link to={to} className={`app-card ${classes.card}`}>
              <strong>{title}</strong>
              <span>{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
};
