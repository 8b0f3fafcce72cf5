import '@mantine/core/styles/Checkbox.css';
import { Button, Checkbox, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { BodyInput } from '#contract/api/endpoint.ts';
import { messageEntity } from '#contract/api/messages.ts';
import type { Broadcast } from '#contract/entities/message.ts';
import { can } from '#contract/can.ts';
import { protocol } from '#contract/protocol.ts';
import { pathTo } from '#contract/site-map.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { warnIfNotSaved } from '#src/device/draft-not-kept.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/messages/messages.module.css';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { Form } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useRead, useReadOf } from '#src/screens/use-read.ts';
import { keepMessageDraft } from '#src/offline/kinds/messages/commands.ts';
import { IconChevronLeft, IconMail, IconSend } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { MailWaits } from '#src/screens/mail-waits.tsx';

/** The audience in an address of the messages page: `entity:SLUG`, `role:SLUG:ID` or `tag:SLUG:ID`. */
const readAudience = (to: string) => {
  const [kind, slug = '', id = ''] = to.split(':');
  return kind === 'entity' || kind === 'role' || kind === 'tag' ? { kind, slug, id } : null;
};
type Audience = NonNullable<ReturnType<typeof readAudience>>;

const nameOf = async ({ kind, slug, id }: Audience) => {
  const place = await call('GET /entities/{id}', { params: { id: slug } });
  if (place.kind !== 'ok' || kind === 'entity') return place.kind === 'ok' ? { ...place, data: `Everyone at ${place.data.name}` } : place;
  if (kind === 'role') {
    const role = await call('GET /entities/{slug}/roles/{id}', { params: { slug, id } });
    return role.kind === 'ok' ? { ...role, data: `${role.data.name} at ${place.data.name}` } : role;
  }
  const tags = await call('GET /entities/{slug}/tags', { params: { slug } });
  return tags.kind === 'ok' ? { ...tags, data: `Everybody with the tag ${tags.data.find((t) => t.id === id)?.name ?? '…'}` } : tags;
};
const send = ({ kind, slug, id }: Audience, body: BodyInput<typeof messageEntity>, key: string) => {
  const once = { headers: { [protocol.idempotencyHeader]: key } };
  return kind === 'entity'
    ? call('POST /entities/{slug}/message', { params: { slug }, body }, once)
    : kind === 'role'
      ? call('POST /entities/{slug}/roles/{roleId}/message', { params: { slug, roleId: id }, body }, once)
      : call('POST /tags/{id}/message', { params: { id }, body }, once);
};

type Props = { to: string; draft: string; onBack: () => void; onSent: () => void };
/** Writes to everybody of an organisation, with a job role or with a tag. It needs a connection; the draft is stored until it is sent. */
const Write = ({ to, draft, onBack, onSent }: Props) => {
  const db = usePersonDb();
  const audience = readAudience(to);
  const { state, retry } = useReadOf(['audience', to], async () => {
    const whom = readAudience(to);
    return whom ? nameOf(whom) : ({ kind: 'refused', error: { message: 'This address names no recipients.' } } as const);
  });
  // Idempotent: the same text to the same people is sent once, even if the answer was lost.
  const key = useRef(crypto.randomUUID());
  const fields = useForm({
    schema: messageEntity.body,
    begin: { message: draft, mail: false },
    toInput: ({ message, mail }) => ({ message, messageTypes: mail ? ['mail' as const] : [] }),
    keep: ({ message }) => {
      key.current = crypto.randomUUID();
      warnIfNotSaved(keepMessageDraft(db, to, message));
    },
    save: async (body) => {
      const result = await send(audience as Audience, body, key.current);
      if (result.kind === 'ok') await keepMessageDraft(db, to, '').catch(() => undefined);
      return result;
    },
    success: ({ recipients }) => `Sent to ${countOf(recipients, 'person', 'people')}.`,
    onSaved: onSent,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  const name = state.kind === 'loaded' ? state.data : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once its name has loaded
  useEffect(() => heading.current?.focus(), [name]);
  return (
    <section className={`app-card ${layout.stack} ${classes.conversation}`} aria-label="Group message">
      <header className={classes.head}>
        <button type="button" className={classes.back} onClick={onBack} aria-label="Back to all messages">
          <IconChevronLeft size={24} />
        </button>
        <h2 ref={heading} tabIndex={-1}>
          {name ?? 'Group message'}
        </h2>
      </header>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the recipients" offline="Group messages need a connection." order={2} />
      {name && (
        <Form
          form={fields}
          save={
            <>
              <IconSend size={20} /> Send to everyone
            </>
          }
        >
          <div className={layout.list}>
            <Textarea
              label={`Message to: ${name}`}
              description="Each person gets a message of their own and replies to you alone."
              autosize
              minRows={4}
              maxRows={12}
              maxLength={5000}
              {...fields.field('message')}
            />
            <Checkbox
              label="Notify them by e-mail as well"
              description="The e-mail says that there is a message, not what it says."
              {...fields.checkbox('mail')}
            />
            <MailWaits />
          </div>
        </Form>
      )}
    </section>
  );
};

const Sent = ({ broadcast: b }: { broadcast: Broadcast }) => (
  <li className={classes.broadcast}>
    <strong>{b.audience.charAt(0).toUpperCase() + b.audience.slice(1)}</strong>
    <p>{b.message}</p>
    <small className={layout.soft}>
      {formatMoment(b.sent_at)} · read by {b.read} of {b.recipients}
      {b.by_mail ? ' · notified by e-mail' : ''}
    </small>
  </li>
);

/** The user's messages to many people, with how many have read each. */
const Overview = ({ onBack }: { onBack: () => void }) => {
  const user = useSession();
  const db = usePersonDb();
  const { state, retry } = useRead('GET /users/{id}/broadcasts', { params: { id: db.personId } });
  const home = useActingAs() ?? user?.primary_entity;
  return (
    <section className={`app-card ${layout.stack} ${classes.conversation}`} aria-label="Group messages">
      <header className={classes.head}>
        <button type="button" className={classes.back} onClick={onBack} aria-label="Back to all messages">
          <IconChevronLeft size={24} />
        </button>
        <h2>Group messages</h2>
      </header>
      {home && can(user, ['entity.view', 'entity.update']) && (
        <div>
          <Button
            component={Link}
            to={`${pathTo('messages')}?to=entity:${home.slug}`}
            variant="default"
            leftSection={<IconMail size={20} />}
            aria-label={`Message everyone at ${home.name}`}
          >
            Message everyone
          </Button>
        </div>
      )}
      <ReadPlaceholder state={state} retry={retry} loading="Loading your group messages" offline="Your group messages need a connection." order={2} />
      {state.kind === 'loaded' && state.data.length === 0 && (
        <EmptyState icon={<IconMail size={36} />} title="No group messages yet">
          Job roles and tags have the button Message everyone, too: it writes to their people.
        </EmptyState>
      )}
      {state.kind === 'loaded' && state.data.length > 0 && (
        <ul className={layout.list} aria-label="Group messages, newest first">
          {state.data.map((b) => (
            <Sent key={b.id} broadcast={b} />
          ))}
        </ul>
      )}
    </section>
  );
};

/** The part of the messages page for writing to many people at once. */
export const ToMany = ({ to, ...props }: Omit<Props, 'to'> & { to: string | null }) =>
  to ? <Write key={to} to={to} {...props} /> : <Overview onBack={props.onBack} />;
