import { Button, Textarea, TextInput, Title } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { warnIfNotSaved } from '#src/device/draft-not-kept.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/messages/messages.module.css';
import { type Thread, useMessages } from '#src/features/messages/use-messages.ts';
import { countOf, formatMoment, formatTime } from '#src/lib/format.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { keepMessageDraft, markRead, removeMessage, sendMessage } from '#src/offline/kinds/messages/commands.ts';
import type { MessageRow } from '#src/offline/store/person-db.ts';
import { IconAlert, IconCheck, IconChevronLeft, IconMail, IconSearch, IconSend, IconTablet } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';
import { Badge } from '#src/ui/badge.tsx';

type Ref = { id: string; name: string };
const mostFound = 30;
const mostLetters = 5000;
/** Permissions to write to everybody of an organisation, with a job role, with a tag. */
const writesToMany: readonly PermissionSlug[] = ['entity.view', 'entity.update', 'role.view', 'role.update', 'tag.use', 'tag.manage'];
const ToMany = loadedLater(() => import('#src/features/messages/to-many.tsx').then((m) => m.ToMany));

/** The true save state of one's own message. */
const Fate = ({ message: m, troubled }: { message: MessageRow; troubled: boolean }) =>
  troubled ? (
    <Badge tone="danger" icon={IconAlert}>
      Needs you: open the list of your work
    </Badge>
  ) : m.received_at === null ? (
    <span className={classes.fate}>
      <IconTablet size={16} /> Saved on this device
    </span>
  ) : m.read_at === null ? (
    <span className={classes.fate}>
      <IconCheck size={16} /> Received
    </span>
  ) : (
    <span className={classes.fate}>
      <IconCheck size={16} /> Read
    </span>
  );

const Bubble = ({ message: m, mine, troubled }: { message: MessageRow; mine: boolean; troubled: boolean }) => {
  const db = usePersonDb();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const result = await call('DELETE /users/{id}/messages/{messageId}', { params: { id: db.personId, messageId: m.id } });
    setBusy(false);
    if (result.kind !== 'ok') return notify('error', result.kind === 'refused' ? result.error.message : 'Removing a message needs a connection.');
    await removeMessage(db, m.id);
    notify('success', texts.messageDeleted);
  };
  return (
    <li className={classes.bubble} data-mine={mine || undefined}>
      <span className="visually-hidden">{mine ? 'You wrote:' : `${m.sender.name} wrote:`}</span>
      <p>{m.message}</p>
      <div className={`${layout.line} ${classes.foot}`}>
        <time dateTime={m.sent_at}>{formatMoment(m.sent_at)}</time>
        {mine && <Fate message={m} troubled={troubled} />}
        {m.received_at !== null &&
          (asking ? (
            <>
              <Button size="compact-md" variant="default" loading={busy} onClick={() => void remove()}>
                Remove from my list
              </Button>
              <Button size="compact-md" variant="subtle" color="gray" onClick={() => setAsking(false)}>
                Keep
              </Button>
            </>
          ) : (
            <button
              type="button"
              className={`${shapes.press} ${classes.remove}`}
              onClick={() => setAsking(true)}
              aria-label={`Remove the message of ${formatTime(m.sent_at)}`}
            >
              Remove
            </button>
          ))}
      </div>
    </li>
  );
};

const Compose = ({ to, draft }: { to: Ref; draft: string }) => {
  const db = usePersonDb();
  const me = useSession();
  const [text, setText] = useState(draft);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const write = (value: string) => {
    setText(value);
    setError(null);
    warnIfNotSaved(keepMessageDraft(db, to.id, value));
  };
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy || !me) return;
    if (text.trim() === '') return setError('Enter a message.');
    setBusy(true);
    try {
      await sendMessage(db, { id: me.uuid, name: me.name }, to, text.trim());
      setText('');
      await keepMessageDraft(db, to.id, '');
    } catch {
      setError('This could not be saved on the device. Your text stays here; please try again.');
    }
    setBusy(false);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
  };
  return (
    <form className={classes.compose} onSubmit={(e) => void send(e)}>
      <Textarea
        label={`Message to ${to.name}`}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={mostLetters}
        value={text}
        error={error}
        onChange={(e) => write(e.currentTarget.value)}
        onKeyDown={onKey}
      />
      <Button type="submit" loading={busy} leftSection={<IconSend size={20} />}>
        Send
      </Button>
    </form>
  );
};

const Conversation = ({
  to,
  thread,
  troubled,
  draft,
  onBack,
}: {
  to: Ref;
  thread: Thread | undefined;
  troubled: ReadonlySet<string>;
  draft: string;
  onBack: () => void;
}) => {
  const db = usePersonDb();
  const end = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const messages = thread?.messages ?? [];
  const unread = thread?.unread ?? 0;
  const count = messages.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each conversation
  useEffect(() => heading.current?.focus(), [to.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is a new message
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [count, to.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the messages change with the number of unread ones
  useEffect(() => {
    // Only messages that were visible count as read: not those that arrived while the page was in the background.
    const seen = () => {
      if (unread > 0 && document.visibilityState === 'visible') void markRead(db, messages).catch(() => undefined);
    };
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [unread, to.id, db]);
  return (
    <section className={`app-card ${layout.stack} ${classes.conversation}`} aria-label={`Messages with ${to.name}`}>
      <header className={classes.head}>
        <button type="button" className={classes.back} onClick={onBack} aria-label="Back to all messages">
          <IconChevronLeft size={24} />
        </button>
        <h2 ref={heading} tabIndex={-1}>
          {to.name}
        </h2>
      </header>
      <ul className={layout.list} aria-label="Messages, oldest first">
        {messages.map((m) => (
          <Bubble key={m.id} message={m} mine={m.sender.id === db.personId} troubled={troubled.has(m.id)} />
        ))}
      </ul>
      {count === 0 && <p className={shapes.muted}>No messages with {to.name} yet.</p>}
      <div ref={end} />
      <Compose key={to.id} to={to} draft={draft} />
    </section>
  );
};

/** Messages with colleagues: they can be read and written offline, and are sent when the connection returns. */
export const Component = () => {
  const { kept, state, change, refresh } = useMessages();
  const [query, setQuery] = useSearchParams();
  const [search, setSearch] = useState('');
  const user = useSession();
  const open = query.get('with');
  const audience = query.get('to');
  const many = audience !== null || query.has('many');
  const sought = search.trim().toLowerCase();
  const has = (p: Ref) => p.name.toLowerCase().includes(sought);
  const threads = (kept?.threads ?? []).filter((t) => sought === '' || has(t.person));
  const others = sought === '' ? [] : (kept?.people ?? []).filter((p) => has(p) && !kept?.threads.some((t) => t.person.id === p.id));
  const thread = kept?.threads.find((t) => t.person.id === open);
  const person = thread?.person ?? kept?.people.find((p) => p.id === open);
  const go = (id: string | null) => {
    setSearch('');
    setQuery(id ? { with: id } : {});
  };
  const empty = (kept?.threads.length ?? 0) === 0;
  const entry = (p: Ref, detail: string, unread: number) => (
    <li key={p.id}>
      <button type="button" className={`${shapes.press} ${classes.entry}`} aria-current={p.id === open || undefined} onClick={() => go(p.id)}>
        <span>
          <strong>{p.name}</strong>
          <small>{detail}</small>
        </span>
        {unread > 0 && <Badge tone="warning">{unread} new</Badge>}
      </button>
    </li>
  );
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Messages
      </Title>
      <p className="visually-hidden" role="status">
        {change}
      </p>
      {state === 'error' && !empty && <p role="alert">The newest messages could not be fetched. You see the messages stored on this device.</p>}
      <div className={classes.panes} data-open={person || many ? true : undefined} data-some={empty && !many ? undefined : true}>
        <nav aria-label="People" className={`${layout.stack} ${classes.people}`}>
          <TextInput
            label="Find a person"
            placeholder="Name"
            type="search"
            leftSection={<IconSearch size={20} />}
            value={search}
            onChange={(e) => setSearch(e.currentTarget.value)}
          />
          {writesToMany.some((need) => can(user, need)) && (
            <button
              type="button"
              className={`${shapes.press} ${classes.entry}`}
              aria-current={many || undefined}
              onClick={() => setQuery({ many: '1' })}
            >
              <span>
                <strong>Group messages</strong>
                <small>To everyone at an organisation, with a job role or with a tag</small>
              </span>
            </button>
          )}
          <ul className={layout.list}>
            {threads.map((t) => entry(t.person, t.messages.at(-1)?.message ?? '', t.unread))}
            {others.slice(0, mostFound).map((p) => entry(p, 'No messages yet', 0))}
          </ul>
          {others.length > mostFound && (
            <p className={layout.soft}>{countOf(others.length - mostFound, 'more person', 'more people')}: type more of the name.</p>
          )}
          {sought !== '' && threads.length + others.length === 0 && (kept?.people.length !== 0 || state === 'ok') && (
            <p className={layout.soft}>Nobody found for “{search}”.</p>
          )}
          {sought !== '' && kept?.people.length === 0 && (state === 'offline' || state === 'error') && (
            <p className={layout.soft}>The names of your colleagues are not on this device yet: they need a connection once.</p>
          )}
        </nav>
        {many && kept ? (
          <ToMany
            to={audience}
            draft={audience === null ? '' : (kept.drafts[audience] ?? '')}
            onBack={() => go(null)}
            onSent={() => setQuery({ many: '1' })}
          />
        ) : person && kept ? (
          <Conversation to={person} thread={thread} troubled={kept.troubled} draft={kept.drafts[person.id] ?? ''} onBack={() => go(null)} />
        ) : !kept || (empty && state === 'loading') ? (
          <LoadingState label="Loading messages" />
        ) : empty && kept.people.length === 0 && state === 'offline' ? (
          <OfflineState what="Your messages have not been on this device yet. They need a connection once." onRetry={() => void refresh()} />
        ) : empty && state === 'error' ? (
          <ErrorState message="Your messages could not be fetched." onRetry={() => void refresh()} />
        ) : (
          <div className={classes.nothing}>
            <EmptyState icon={<IconMail size={36} />} title={empty ? 'No messages yet' : 'Choose a conversation'}>
              {empty
                ? 'Find a colleague by name and write to them. It works without a signal, too.'
                : 'Or find a colleague by name and write to them.'}
            </EmptyState>
          </div>
        )}
      </div>
    </div>
  );
};
