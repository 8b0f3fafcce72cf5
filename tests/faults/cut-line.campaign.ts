import { randomUUID } from 'node:crypto';
import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import { sql } from '#server/db/sql.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { compare } from '#tests/faults/real/compare.ts';
import { CutLine } from '#tests/faults/real/cut-line.ts';
import { type InjectServer, startInjectServer, truthOf } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { socketLine } from '#tests/faults/real/socket-device.ts';

/**
 * A record with ten photographs over a 750 kbit/s connection that breaks every 5 s, and a message written meanwhile, with the
 * engine's own pauses. Everything must arrive once, received pieces must not be sent again, and the message must not wait for the
 * photographs.
 */
const bytesPerSecond = 750_000 / 8;
const cutEveryMs = 5000;
const photographs = 10;
const photographBytes = 300_000;
/** Maximum bytes sent per byte of the photographs: each break loses less than a piece of each file. */
const mostOverhead = 1.8;
/** Maximum multiple of the time that the connection alone needs. */
const mostTime = 3;
const noteMs = 20_000;

let server: InjectServer;
let facts = '';

export const campaign: Campaign = {
  name: 'cut-line',
  alone: true,
  runs: { ci: 1, demand: 10 },
  prepare: async () => {
    server = await startInjectServer();
    await server.app.listen({ port: 0, host: '127.0.0.1' });
  },
  once: async () => {
    const wrong: string[] = [];
    const port = (server.app.server.address() as { port: number }).port;
    const line = new CutLine(port, bytesPerSecond, cutEveryMs);
    const origin = await line.listen();
    const device = new RealDevice(socketLine(() => origin));
    const assessor = await server.newLearner('trainer@willowbrook.test');
    const observed = await server.newLearner();
    const certificate: Pick<CareCertificate, 'id'> & { user: { name: string } } = { id: randomUUID(), user: { name: 'Observed' } };
    await server.database.db.run(
      sql`insert into care_certificates (id, user_id, assigned_by, assigned_at) values (${certificate.id}, ${observed.id}, ${assessor.id}, now())`,
    );
    const person = await device.signIn(assessor.email);
    await device.open(person);
    line.begin();
    const began = Date.now();
    const stop = device.keepSending();
    await device.observe(certificate, true, photographBytes, true, photographs);
    // While the photographs are being sent.
    await new Promise((resolve) => setTimeout(resolve, 8000));
    await device.write({ id: observed.id, name: 'Observed' });
    const written = Date.now();
    let noteAfter: number | null = null;
    const limit = ((photographs * photographBytes) / bytesPerSecond) * 1000 * mostTime;
    while ((await device.db.outbox.count()) > 0 && Date.now() - began < limit * 2) {
      if (noteAfter === null && (await device.db.outbox.where('lane').startsWith('messages:').count()) === 0) noteAfter = Date.now() - written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const took = Date.now() - began;
    stop();
    const share = line.sent / (photographs * photographBytes);
    if ((await device.db.outbox.count()) > 0) wrong.push(`after ${Math.round(took / 1000)} s something still waits`);
    if (took > limit) wrong.push(`it took ${Math.round(took / 1000)} s, and the line alone needs ${Math.round(limit / mostTime / 1000)} s`);
    if (share > mostOverhead) wrong.push(`${share.toFixed(2)} times the photographs were sent`);
    if (noteAfter === null || noteAfter > noteMs) wrong.push(`a note waited ${noteAfter === null ? 'for all of them' : `${noteAfter} ms`}`);
    facts = `${Math.round(took / 1000)} s, ${(took / (limit / mostTime)).toFixed(2)} × the line alone; ${line.cuts} cuts; ${share.toFixed(2)} × the bytes; a note after ${noteAfter} ms`;
    wrong.push(...compare(device.saved, await truthOf(server.database, assessor.id)));
    await device.forget();
    await line.close();
    return wrong;
  },
  finish: () => server.close(),
  facts: () => facts,
};
