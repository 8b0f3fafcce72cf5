import { trainingPriceEndpoints } from '#contract/api/training-prices.ts';
import { existing } from '#server/db/rows.ts';
import { hasCourseHere, visibleEntity } from '#server/db/seen.ts';
import { sql, sqlState } from '#server/db/sql.ts';
import { invalid } from '#server/product-error.ts';
import { resourceOf } from '#server/resource.ts';
import type { By } from '#server/note-change.ts';
import type { Services } from '#server/services.ts';

const taken = () => invalid('valid_from', 'There is a price of this course from that day on. Change that one.');

/** The price list of a training company: the prices of each course, with the day from which each applies. */
export const pricesOf = (services: Pick<Services, 'db' | 'now'>) => {
  const prices = resourceOf(services, trainingPriceEndpoints, {
    table: 'training_prices',
    from: sql`training_prices t join entity_names e on e.id = t.entity_id join course_titles k on k.id = t.course_id`,
    row: sql`json_build_object('id', k.id, 'name', k.title) as course, json_build_object('id', e.id, 'name', e.name) as entity,
      t.per_person_pence, t.per_session_pence, t.vat_rate::float8 as vat_rate, t.valid_from::text as valid_from`,
    owner: sql`t.entity_id`,
    visible: visibleEntity,
    search: [sql`k.title`],
    sorts: { course: sql`k.title`, valid_from: sql`t.valid_from` },
    order: 'course',
    subject: { kind: 'training_price', name: ({ course }) => course.name },
    added: (_tx, _body, actor) => ({ entity_id: actor.place.id }),
    columns: (price) => price,
    taken,
  });
  type Body = Parameters<typeof prices.create>[1];
  const requireCourse = async ({ actor }: By, { course_id }: Body) => {
    if (!(await services.db.one(sql`select 1 as one from courses k where k.id = ${course_id} and ${hasCourseHere(actor)}`)))
      throw invalid('course_id', 'Choose a course that your organisation has.');
  };
  return {
    ...prices,
    create: async (by: By, body: Body) => {
      await requireCourse(by, body);
      return prices.create(by, body);
    },
    update: async (by: By, id: string, body: Body) => {
      const { course } = existing(await prices.get(by.actor, id));
      if (course.id !== body.course_id) await requireCourse(by, body);
      return prices.update(by, id, body).catch((error: unknown) => {
        throw sqlState(error) === '23505' ? taken() : error;
      });
    },
  };
};
