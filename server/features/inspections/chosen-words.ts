import type { MatrixFilter } from '#contract/matrix/filter.ts';
import type { Actor } from '#server/actor.ts';
import type { Db } from '#server/db/sql.ts';
import { namesIn } from '#server/features/reports/selection.rows.ts';

const mostNames = 5;
const named = (things: readonly { name: string }[], many: string): string | null =>
  things.length === 0 ? null : things.length > mostNames ? `${things.length} ${many}` : things.map((t) => t.name).join(', ');

/** A filter in a few words, which are still understood when the people and courses no longer exist. */
export const chosenWords = async (db: Db, actor: Actor, filter: MatrixFilter): Promise<string> => {
  const { entities, roles, tags, users, courses } = filter;
  const chosen = await namesIn(db, actor, { entities, roles, tags, users, courses });
  const starters = { include_new_starters: null, exclude_new_starters: 'without new starters', new_starters_only: 'new starters only' } as const;
  const words = [
    named(chosen.entities, 'services') ?? actor.place.name,
    named(chosen.roles, 'job roles'),
    named(chosen.tags, 'tags'),
    named(chosen.users, 'people'),
    named(chosen.courses, 'courses'),
    starters[filter.new_starters_filter],
  ];
  return words.filter(Boolean).join(' · ');
};
