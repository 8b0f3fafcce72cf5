import { trainingPriceEndpoints } from '#contract/api/training-prices.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { testResource } from '#tests/support/resource.ts';

const course = (n: number) => demoId(`price:${n}`);
const price = { course_id: course(0), per_person_pence: 4550, per_session_pence: null, vat_rate: 20, valid_from: '2026-04-01' };
testResource({
  calls: trainingPriceEndpoints,
  before: async (db, word) => {
    for (const n of [0, 1, 2])
      await db.run(
        sql`insert into courses (id, title, short_title, entity_id) values (${course(n)}, ${`${word} ${n}`}, ${`z${n}`}, ${demoId('entity:group')})`,
      );
  },
  body: (n) => ({ ...price, course_id: course(n) }),
  changed: { per_person_pence: null, per_session_pence: 60000, vat_rate: 17.5 },
  refused: {
    per_person_pence: { per_person_pence: null },
    per_session_pence: { per_session_pence: -1 },
    vat_rate: { vat_rate: 101 },
    course_id: { course_id: demoId('price:none') },
    valid_from: { valid_from: '2026-02-30' },
  },
});
