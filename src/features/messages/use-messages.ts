import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useCallback, useEffect, useState } from 'react';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { draftsOf, keepCorrespondents, keptCorrespondents, noteServerMessages } from '#src/offline/kinds/messages/commands.ts';
import type { MessageRow } from '#src/offline/store/person-db.ts';

type Ref = { id: string; name: string };
/** The messages with one person, oldest first. */
export type Thread = { person: Ref; messages: MessageRow[]; unread: number; last: string };

const refreshMs = 30_000;

const threadsOf = (me: string, rows: readonly MessageRow[]): Thread[] => {
  const threads = new Map<string, MessageRow[]>();
  for (const m of rows) threads.set(m.other, [...(threads.get(m.other) ?? []), m]);
  return [...threads.values()]
    .map((all) => {
      const messages = all.sort((a, b) => (a.sent_at < b.sent_at ? -1 : 1));
      const newest = messages.at(-1) as MessageRow;
      const person = newest.sender.id === me ? newest.recipient : newest.sender;
      return { person, messages, unread: messages.filter((m) => m.sender.id !== me && m.read_at === null).length, last: newest.sent_at };
    })
    .sort((a, b) => (a.last < b.last ? 1 : -1));
};

/** What has changed since the last look, in the specification's words: for who cannot see it. */
const changeIn = (me: string, before: readonly MessageRow[], after: readonly MessageRow[]): string => {
  const state = (rows: readonly MessageRow[], mine: boolean) =>
    rows
      .filter((m) => (m.sender.id === me) === mine && m.received_at !== null)
      .map((m) => (mine ? `${m.id} ${m.read_at}` : m.id))
      .sort()
      .join();
  const updated = (mine: boolean) => state(before, mine) !== state(after, mine);
  return [updated(false) && texts.receivedUpdated, updated(true) && texts.sentUpdated].filter(Boolean).join(' ');
};

/** The person's messages on this device, refreshed from the server while the page is open and online. */
export const useMessages = () => {
  const db = usePersonDb();
  const me = db.personId;
  const [state, setState] = useState<'loading' | 'ok' | 'offline' | 'error'>('loading');
  const [change, setChange] = useState('');
  const refresh = useCallback(async () => {
    const before = await db.messages.toArray();
    const known = new Set(before.filter((m) => m.received_at !== null).map((m) => m.id));
    const [sent, received, people] = await Promise.all([
      call('GET /users/{id}/sent/messages', { params: { id: me } }),
      call('GET /users/{id}/received/messages', { params: { id: me } }),
      call('GET /users/{id}/correspondents', { params: { id: me } }),
    ]);
    if (sent.kind === 'ok' && received.kind === 'ok') {
      await noteServerMessages(db, [...sent.data, ...received.data], known);
      setChange(changeIn(me, before, await db.messages.toArray()));
    }
    if (people.kind === 'ok') await keepCorrespondents(db, people.data);
    const failed = [sent, received, people].find((r) => r.kind !== 'ok');
    setState(!failed ? 'ok' : failed.kind === 'unreachable' ? 'offline' : 'error');
  }, [db, me]);
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => document.visibilityState === 'visible' && void refresh(), refreshMs);
    const online = () => void refresh();
    addEventListener('online', online);
    return () => {
      clearInterval(timer);
      removeEventListener('online', online);
    };
  }, [refresh]);
  const stored = useLiveQuery(async () => {
    const [rows, people, needs, drafts] = await Promise.all([
      db.messages.toArray(),
      keptCorrespondents(db),
      db.outbox.filter((e) => e.state === 'needs-person').toArray(),
      draftsOf(db),
    ]);
    return {
      threads: threadsOf(
        me,
        rows.map((r) => ({ ...r })),
      ),
      people,
      troubled: new Set(needs.map((e) => e.id)),
      drafts,
    };
  }, [db]);
  return { kept: stored, state, change, refresh };
};
