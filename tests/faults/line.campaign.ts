import { sql } from '#server/db/sql.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { compare } from '#tests/faults/real/compare.ts';
import type { Fault } from '#tests/faults/real/fault-proxy.ts';
import { truthOf } from '#tests/faults/real/inject-server.ts';
import { SocketWorld } from '#tests/faults/real/socket-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';

/** Faults of requests and answers over real sockets and a real proxy. */
const runsForOnePerson = 25;

/** Entries settled by the device but unknown to the server: false acknowledgements. */
const falselySettled = async (world: SocketWorld): Promise<string[]> => {
  const ids = (await world.device.db.settled.toArray()).filter((e) => e.outcome !== 'discarded').map((e) => e.id);
  const known = new Set(
    (await world.server.database.db.all<{ entry_id: string }>(sql`select entry_id from ledger where user_id = ${world.learner.id}`)).map(
      (r) => r.entry_id,
    ),
  );
  return ids.filter((id) => !known.has(id)).map((id) => `${id} was taken for received and the server does not have it`);
};

const lineCampaign = (name: string, runs: Campaign['runs'], faults: readonly Fault[]): Campaign => {
  const world = new SocketWorld();
  let done = 0;
  return {
    name,
    runs,
    prepare: () => world.start(),
    once: async (seed) => {
      const random = randomFrom(seed);
      if (done++ % runsForOnePerson === 0) await world.newcomer(2);
      const wrong: string[] = [];
      await world.readSome(random, 2, 0);
      await world.readSome(random, 2, 1);
      const fault = faults[seed % faults.length] as Fault;
      let left = 1 + Math.floor(random() * 2);
      world.proxy.choose = () => (left-- > 0 ? fault : 'pass');
      // The first request succeeds; later ones meet the fault.
      await world.device.send();
      wrong.push(...(await falselySettled(world)));
      await world.device.send();
      world.proxy.choose = () => 'pass';
      const stay = await world.device.drain();
      if (stay > 0) wrong.push(`${stay} entries did not leave the device`);
      wrong.push(...(await falselySettled(world)), ...compare(world.device.saved, await truthOf(world.server.database, world.learner.id)));
      return wrong;
    },
    finish: () => world.close(),
  };
};

export const campaigns = [
  lineCampaign('proxy', { ci: 300, demand: 15_000 }, ['lost-answer', 'duplicate', 'reorder']),
  lineCampaign('portal', { ci: 50, demand: 500 }, [
    'portal-page',
    'portal-json',
    'redirect',
    'truncated',
    'too-short',
    'too-long',
    'empty',
    'lost-request',
  ]),
];
