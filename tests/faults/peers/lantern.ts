import { sql } from '#server/db/sql.ts';
import type { MakePeer } from '#tests/faults/peers/peer.ts';
import { type InjectServer, startInjectServer } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';

/** This product: store, engine, server and database. The items are messages to a colleague. */
let server: InjectServer | undefined;
export const closeLantern = async () => server?.close();

export const lantern: MakePeer = async (bad) => {
  server ??= await startInjectServer();
  const running = server;
  const learner = await running.newLearner();
  const colleague = await running.newLearner();
  const device = new RealDevice(bad(running.line));
  const person = await device.signIn(learner.email);
  const refused = new Set<string>();
  return {
    name: 'lantern',
    open: async () => {
      await (device.person ? device.restart(false) : device.open(person));
    },
    add: async () => {
      await device.write({ id: colleague.id, name: 'Colleague' });
      return device.saved.at(-1)?.key as string;
    },
    send: async () => {
      // An expired session is renewed; the person signs in once.
      if ((await device.send()) === 'sign-in') await device.signIn(learner.email).catch(() => undefined);
      for (const e of await device.db.outbox.toArray()) if (e.state === 'needs-person') refused.add(e.id);
    },
    waiting: () => device.db.outbox.count(),
    refused: () => refused,
    received: async () => {
      const rows = await running.database.db.all<{ id: string }>(sql`select id from messages where sender_id = ${learner.id} order by ctid`);
      return new Map(rows.map((r) => [r.id, 1]));
    },
    close: () => device.forget(),
  };
};
