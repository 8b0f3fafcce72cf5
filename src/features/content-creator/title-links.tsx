import { Link } from 'react-router-dom';
import { pathTo, type RouteId } from '#contract/site-map.ts';
import layout from '#src/ui/page.module.css';

type Things = readonly { id: string; title: string }[];
/** Things by their titles, each a link to its page. */
export const TitleLinks = ({ things, to }: { things: Things; to: RouteId }) => (
  <ul className={layout.list}>
    {things.map(({ id, title }) => (
      <li key={id} style={{ overflowWrap: 'anywhere' }}>
        <Link to={pathTo(to, { id })}>{title}</Link>
      </li>
    ))}
  </ul>
);
/** “Hand hygiene”, “Food safety” and 3 more. */
export const titlesOf = (things: Things): string => {
  const named = things.slice(0, 3).map(({ title }) => `“${title}”`);
  const more = things.length - named.length;
  const parts = more > 0 ? [...named, `${more.toLocaleString('en-GB')} more`] : named;
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
};
