import { Link } from 'react-router-dom';
import { pathTo, type RouteId } from '#contract/site-map.ts';
import layout from '#src/ui/page.module.css';

type Things = readonly { id: string; title: string }[];
/** Links to things by their titles. */
export const TitleLinks = ({ things, to }: { things: Things; to: RouteId }) => (
  <ul className={layout.list}>
    {things.map(({ id, title }) => (
      <li key={id} style={{ overflowWrap: 'anywhere' }}>
        <Link to={pathTo(to, { id })}>{title}</Link>
      </li>
    ))}
  </ul>
);
