import { Button, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Delivery, Schedule } from '#contract/api/report-schedules.ts';
import { protocol } from '#contract/protocol.ts';
import { goneWords } from '#contract/reports/chosen.ts';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { ScheduleForm } from '#src/features/report-schedules/schedule-form.tsx';
import { DeliveryState, ScheduleState } from '#src/features/report-schedules/schedule-state.tsx';
import { countOf, formatMegabytes, formatMoment } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import classes from '#src/screens/report-presets.module.css';
import { useAction } from '#src/screens/use-action.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { IconAlert } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

const Run = ({ delivery }: { delivery: Delivery }) => {
  const { state, due_at, recipients, rows, bytes, problem } = delivery;
  const facts = [
    `due ${formatMoment(due_at)}`,
    state === 'sent' && `to ${countOf(recipients, 'recipient')}`,
    rows !== null && countOf(rows, 'row'),
    bytes !== null && formatMegabytes(bytes),
  ];
  return (
    <li className={layout.between}>
      <span>
        {facts.filter(Boolean).join(' · ')}
        {problem && <span className={state === 'sent' ? undefined : classes.danger}>. {problem}</span>}
      </span>
      <DeliveryState delivery={delivery} />
    </li>
  );
};

const Shown = ({ schedule, retry }: { schedule: Schedule; retry: () => void }) => {
  const navigate = useNavigate();
  const params = { id: schedule.id };
  const list = () => void navigate(pathTo('reports-schedules'));
  const send = useAction(() => call('POST /reports/schedules/{id}/send', { params }), { success: 'It is being sent.', onDone: retry });
  const pause = useAction((paused: boolean) => call('POST /reports/schedules/{id}/pause', { params, body: { paused } }), {
    success: (now) => (now.paused ? 'Paused.' : 'It goes on.'),
    onDone: retry,
  });
  const remove = useAction(() => call('DELETE /reports/schedules/{id}', { params }), { success: 'Deleted.', onDone: list });
  const { paused, stopped_why, next_at, deliveries, gone, owner } = schedule;
  const sending = deliveries.some((d) => d.state === 'waiting');
  useEffect(() => {
    if (!sending) return;
    const timer = setInterval(retry, protocol.pollIntervalMs);
    return () => clearInterval(timer);
  }, [sending, retry]);
  return (
    <>
      <section className={`app-card ${layout.block}`} aria-label="How it stands">
        <div className={layout.between}>
          <span>
            {next_at
              ? `Next on ${formatMoment(next_at)} (${schedule.time_zone}), as ${owner.name} sees it.`
              : `Nothing is sent. It belongs to ${owner.name}.`}
          </span>
          <ScheduleState schedule={schedule} />
        </div>
        {stopped_why && (
          <p className={layout.notice} data-tone="danger" role="status">
            <IconAlert size={20} /> {stopped_why} Save it to have it sent as you see it.
          </p>
        )}
        {gone.length > 0 && (
          <p className={layout.notice} data-tone="warning" role="status">
            <IconAlert size={20} /> {goneWords(gone)}
          </p>
        )}
        <div className={layout.tools}>
          {!stopped_why && (
            <>
              <Button variant="default" loading={send.busy} disabled={sending} onClick={() => void send.run()}>
                Send now
              </Button>
              <Button variant="default" loading={pause.busy} onClick={() => void pause.run(!paused)}>
                {paused ? 'Let it go on' : 'Pause'}
              </Button>
            </>
          )}
          <DeleteButton question="Delete it, with its history and the files of its links?" onDelete={() => void remove.run()} />
        </div>
      </section>
      <section className={`app-card ${layout.block}`} aria-label="Last sendings">
        <Title order={2} size="h4">
          Last sendings
        </Title>
        {deliveries.length === 0 ? (
          <p className={layout.count}>Nothing has been sent yet.</p>
        ) : (
          <ul className={layout.list}>
            {deliveries.map((delivery) => (
              <Run key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        )}
      </section>
      <ScheduleForm schedule={schedule} onSaved={retry} onCancel={list} />
    </>
  );
};

/** One schedule: its state, its deliveries, and its settings. */
export const Component = () => {
  const { id = '' } = useParams();
  const { state, retry } = useReadOf<Schedule>(
    ['report-schedule', id],
    (signal) => call('GET /reports/schedules/{id}', { params: { id } }, { signal }),
    {
      keepShown: true,
    },
  );
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {state.kind === 'loaded' ? state.data.name : 'Report schedule'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the schedule" offline="Report schedules need a connection." />
      {state.kind === 'loaded' && <Shown key={`${id} ${state.data.owner.id}`} schedule={state.data} retry={retry} />}
    </div>
  );
};
