import { historicalCertificateEndpoints } from '#contract/api/historical-certificates.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { testResource } from '#tests/support/resource.ts';

testResource({
  calls: historicalCertificateEndpoints,
  before: async (db, word) => {
    for (const n of [0, 1, 2])
      await db.run(sql`insert into users (id, name, email, primary_entity_id)
        values (${demoId(`historical:${n}`)}, ${`${word} ${n}`}, ${`zephyr${n}@willowbrook.test`}, ${demoId('entity:home')})`);
  },
  body: (n) => ({ user_id: demoId(`historical:${n}`), achieved_on: `2024-05-0${n + 1}`, issuer: 'Oak Lodge', note: 'Saw the original.' }),
  changed: { achieved_on: '2024-04-30', issuer: 'Oak Lodge, Mrs Bell' },
  refused: { user_id: {}, achieved_on: { achieved_on: '2999-01-01' }, issuer: { issuer: '' } },
});
