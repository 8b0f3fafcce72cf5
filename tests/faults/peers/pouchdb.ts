import '#tests/faults/peers/as-in-a-worker.ts';
import PouchDB from 'pouchdb-browser';
import type { MakePeer } from '#tests/faults/peers/peer.ts';
import type { Line } from '#tests/faults/real/real-device.ts';

/** PouchDB with a server that speaks CouchDB's replication: documents are pushed and identified by revision. */
type Doc = { _id: string; _rev: string; _revisions?: object };
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', 'X-Lantern': '1' } });

/** The part of CouchDB that a push uses. */
const couch = () => {
  const docs = new Map<string, Set<string>>();
  const local = new Map<string, Record<string, unknown>>();
  const line: Line = async (path, init) => {
    const place = decodeURIComponent(path.replace(/^\/db\/?/, '').split('?')[0] as string);
    const method = init.method ?? 'GET';
    const body = init.body ? (JSON.parse(String(init.body)) as Record<string, unknown>) : {};
    if (place === '') return json({ db_name: 'db', update_seq: docs.size, doc_count: docs.size });
    if (place.startsWith('_local/') && method === 'GET')
      return local.has(place) ? json(local.get(place)) : json({ error: 'not_found', reason: 'missing' }, 404);
    if (place.startsWith('_local/')) {
      const rev = `0-${Number(String(local.get(place)?._rev ?? '0-0').slice(2)) + 1}`;
      local.set(place, { ...body, _id: place, _rev: rev });
      return json({ ok: true, id: place, rev }, 201);
    }
    if (place === '_revs_diff')
      return json(
        Object.fromEntries(
          Object.entries(body as Record<string, string[]>)
            .map(([id, revs]) => [id, { missing: revs.filter((r) => !docs.get(id)?.has(r)) }] as const)
            .filter(([, { missing }]) => missing.length > 0),
        ),
      );
    if (place === '_bulk_docs') {
      for (const doc of body.docs as Doc[]) docs.set(doc._id, (docs.get(doc._id) ?? new Set()).add(doc._rev));
      return json([], 201);
    }
    return json({ error: 'not_found' }, 404);
  };
  return { docs, line };
};
let stores = 0;

export const pouchdb: MakePeer = async (bad) => {
  const server = couch();
  const line = bad(server.line);
  const name = `pouch-${++stores}`;
  const refused = new Set<string>();
  const mine = new Set<string>();
  let local = new PouchDB(name);
  const remote = () =>
    new PouchDB('http://peer.test/db', {
      skip_setup: true,
      fetch: ((url: string, init: RequestInit) => line(new URL(url).pathname, init)) as typeof fetch,
    });
  const missing = () => [...mine].filter((id) => !server.docs.has(id));
  return {
    name: 'pouchdb (a pair)',
    open: async () => {
      local = new PouchDB(name);
    },
    add: async () => {
      const id = crypto.randomUUID();
      await local.put({ _id: id });
      mine.add(id);
      return id;
    },
    send: async () => {
      const push = local.replicate.to(remote(), { retry: false });
      push.on('denied', (error) => refused.add(String(error.doc?.id)));
      await push.catch(() => undefined);
    },
    // Items before its checkpoint no longer wait.
    waiting: async () => (missing().length > 0 ? missing().length : 0),
    refused: () => refused,
    received: async () => new Map([...server.docs].map(([id, revs]) => [id, revs.size])),
    // A killed tab's push may still use it; it is in memory only.
    close: async () => undefined,
  };
};
