import '@mantine/core/styles/Checkbox.css';
import { Button, Checkbox, Textarea } from '@mantine/core';
import { createContext, useContext, useMemo, useRef, useState } from 'react';
import { dashboardTitles } from '#contract/dashboard-titles.ts';
import { messageActive } from '#contract/api/auth-events.ts';
import { can } from '#contract/can.ts';
import type { ActiveUser, MetricPeriod, SignInMetrics } from '#contract/entities/active-user.ts';
import { protocol } from '#contract/protocol.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { currentUser, useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { countOf, formatDay, formatMoment, formatTime } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { Form } from '#src/screens/form.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { type Read, useReadOf } from '#src/screens/use-read.ts';
import { useDashboard, type WidgetViews } from '#src/screens/widgets/dashboard.tsx';
import { PointsChart } from '#src/screens/widgets/points-chart.tsx';
import { NumberLink, Numbers, Widget } from '#src/screens/widgets/widget.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { IconPeople } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { MailWaits, mailSaid } from '#src/screens/mail-waits.tsx';

const dayMs = 86_400_000;
/** The periods to choose from, with their intervals: `today` is the last 24 hours by hour. */
const ranges: Record<string, { label: string; days: number; period: MetricPeriod }> = {
  today: { label: '24 hours', days: 1, period: 'h' },
  week: { label: '7 days', days: 7, period: 'd' },
  month: { label: '30 days', days: 30, period: 'd' },
};
const wordsOfPoint = (period: MetricPeriod, at: string) => (period === 'h' ? `${formatDay(at)}, ${formatTime(at)}` : formatDay(at));

type Shown = { range: string; choose: (range: string) => void; read: Read<SignInMetrics> };
const Metrics = createContext<Shown | null>(null);
const useMetrics = () => useContext(Metrics) as Shown;
const periodOf = (range: string): MetricPeriod => ranges[range]?.period ?? 'h';
const useSignIns = (slug: string): Shown => {
  const [range, choose] = useState('today');
  const days = ranges[range]?.days ?? 1;
  // Fixed at the time of the request, so that it is not repeated at every moment.
  const times = useMemo(() => {
    const until = correctedNow();
    return { fromDate: new Date(until.getTime() - days * dayMs).toISOString(), toDate: until.toISOString() };
  }, [days]);
  const read = useReadOf<SignInMetrics>(
    ['sign-in metrics', slug, range, times],
    (signal) =>
      call(
        'POST /auth-events/{entity}/metrics',
        { params: { entity: slug }, body: { ...times, period: periodOf(range), deep: true } },
        { signal, quiet: true },
      ),
    { keepShown: true },
  );
  return { range, choose, read };
};

const SignInsWidget = ({ title }: { title: string }) => (
  <Widget title={title} read={useMetrics().read}>
    {(metrics) => (
      <>
        <Numbers label="Sign-ins in numbers">
          <NumberLink count={metrics.people} label={['person signed in', 'people signed in']} />
          <NumberLink count={metrics.sign_ins} label={['sign-in', 'sign-ins']} />
          <NumberLink
            to={`${pathTo('active-users')}?filter=never`}
            count={metrics.never}
            tone="warning"
            label={`of ${countOf(metrics.of, 'person', 'people')} have never signed in`}
          />
        </Numbers>
        <p className={layout.count}>
          Each person is counted once, however often they signed in. A device that stays signed in does not sign in again.
        </p>
      </>
    )}
  </Widget>
);
const OverTimeWidget = ({ title }: { title: string }) => {
  const { read, range } = useMetrics();
  const period = periodOf(range);
  return (
    <Widget title={title} read={read}>
      {(metrics) => (
        <PointsChart
          label="People who signed in"
          heads={[period === 'h' ? 'From' : 'Day', 'People', 'Sign-ins']}
          points={metrics.points.map((p) => ({ id: p.at, name: wordsOfPoint(period, p.at), value: p.people, more: [p.sign_ins] }))}
        />
      )}
    </Widget>
  );
};
const views: WidgetViews<'active-users'> = { 'sign-ins': SignInsWidget, 'over-time': OverTimeWidget };

/** Writes to everybody who is active: each gets a message of their own. */
const MessageActive = ({ slug, onDone }: { slug: string; onDone: () => void }) => {
  const key = useRef(crypto.randomUUID());
  const form = useForm({
    schema: messageActive.body,
    begin: { message: '', mail: false },
    toInput: ({ message, mail }) => ({ message, deep: 1 as const, messageTypes: mail ? ['mail' as const] : [] }),
    keep: () => {
      key.current = crypto.randomUUID();
    },
    save: (body) => call('POST /system/message/{id}', { params: { id: slug }, body }, { headers: { [protocol.idempotencyHeader]: key.current } }),
    success: ({ recipients }) => `Sent to ${countOf(recipients, 'person', 'people')}.`,
    onSaved: onDone,
  });
  return (
    <Section title="Message everybody who is active">
      <Form form={form} save="Send to everyone active">
        <div className={layout.list}>
          <Textarea
            label="Message"
            description="Each person who has used the product in the last 24 hours gets a message of their own and replies to you alone."
            autosize
            minRows={3}
            maxRows={12}
            maxLength={5000}
            {...form.field('message')}
          />
          <Checkbox
            label="Notify them by e-mail as well"
            description="The e-mail says that there is a message, not what it says."
            {...form.checkbox('mail')}
          />
          <MailWaits />
        </div>
      </Form>
    </Section>
  );
};

const load: LoadPage<ActiveUser> = ({ filter, sort: _none, ...query }, signal) =>
  call('GET /auth-events/active', { query: { ...query, ...(filter === 'never' ? { state: 'never' as const } : {}) } }, { signal });
const filters = [
  { value: '', label: 'Active in the last 24 hours' },
  { value: 'never', label: 'Never signed in' },
];
const words = {
  title: dashboardTitles['active-users'],
  one: 'a person',
  many: 'people',
  looksAt: 'Name or e-mail address',
  none: 'Nobody was active in the last 24 hours',
  first: 'People appear here when they use the product.',
  failed: texts.failedToFetchActiveUsers,
};
const columns: readonly Column<ActiveUser>[] = [
  { id: 'name', header: 'Name', value: (u) => u.name, width: 180, grow: 1.2 },
  { id: 'role', header: 'Job role', value: (u) => u.role },
  { id: 'place', header: 'Workplace', value: (u) => u.place.name },
  { id: 'email', header: 'E-mail address', value: (u) => u.email, width: 220 },
  {
    ...{ id: 'seen', header: 'Last active', width: 190, grow: 0.3, keep: true },
    value: (u) => (u.seen_at ? formatMoment(u.seen_at) : 'Never'),
    cell: (u) => (u.seen_at ? formatMoment(u.seen_at) : <Badge tone="warning">Never signed in</Badge>),
  },
];
const welcoming: BulkAction<ActiveUser> = {
  ...{ label: 'Send welcome e-mail', fits: (u) => u.seen_at === null },
  question: (users) => `${countOf(users.length, 'person', 'people')} will get a link to choose their password.`,
  each: (u) => call('POST /users/{id}/send-welcome-email', { params: { id: u.id } }, { quiet: true }),
  done: (count) => mailSaid(currentUser(), `The welcome e-mail was sent to ${countOf(count, 'person', 'people')}.`),
};

/** Who uses the product, who never has, with actions for both. */
export const Component = () => {
  const me = useSession();
  const acting = useActingAs();
  const slug = acting?.slug ?? me?.primary_entity.slug ?? '';
  const list = useList<ActiveUser>(['active users'], load);
  const [writing, setWriting] = useState(false);
  const signIns = useSignIns(slug);
  const { button, content } = useDashboard('active-users', views);
  const never = list.filter === 'never';
  const welcome = useAction(() => call('POST /entities/{id}/send-welcome-email', { params: { id: slug }, query: { deep: '1' } }), {
    success: (answer) => answer.message,
    onDone: list.retry,
  });
  return (
    <ListPage
      words={never ? { ...words, none: 'Everybody has signed in', first: 'People who have never signed in appear here.' } : words}
      list={list}
      icon={<IconPeople size={36} />}
      filters={filters}
      add={
        <div className={layout.tools}>
          {button}
          {can(me, 'message.active_users') && !writing && (
            <Button variant="default" onClick={() => setWriting(true)}>
              Message the active
            </Button>
          )}
          {never && can(me, 'user.create') && (
            <Button loading={welcome.busy} onClick={() => void welcome.run()}>
              Welcome them all
            </Button>
          )}
        </div>
      }
      form={
        <>
          {never && can(me, 'user.create') && <MailWaits links />}
          {writing && <MessageActive slug={slug} onDone={() => setWriting(false)} />}
          <Metrics value={signIns}>
            <Segmented
              size="md"
              aria-label="Which time"
              value={signIns.range}
              onChange={signIns.choose}
              data={Object.entries(ranges).map(([value, { label }]) => ({ value, label }))}
            />
            {content}
          </Metrics>
        </>
      }
      columns={columns}
      to={(user) => pathTo('users-by-uuid', { uuid: user.id })}
      bulk={never && can(me, ['user.create', 'user.update', 'user.reset_password']) ? [welcoming] : []}
    />
  );
};
