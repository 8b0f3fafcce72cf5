import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { settingsPlaces, titleOf } from '#src/app/page-titles.ts';

/** The settings of an organisation that the signed-in person may open. */
export const useSettings = (slug: string) => {
  const user = useSession();
  const brand = useBrand();
  return settingsPlaces
    .filter(({ route }) => can(user, needOf(route)))
    .map(({ route, about }) => ({
      title: titleOf(route, brand),
      about,
      to: pathTo(route, { slug }) + (route === 'audit-log' ? `?filter=${slug}` : ''),
    }));
};
