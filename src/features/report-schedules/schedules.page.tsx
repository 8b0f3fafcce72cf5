import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Schedule } from '#contract/api/report-schedules.ts';
import { reports } from '#contract/reports/reports.ts';
import { rhythmWords } from '#contract/rules/next-run.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { ScheduleForm } from '#src/features/report-schedules/schedule-form.tsx';
import { DeliveryState, ScheduleState } from '#src/features/report-schedules/schedule-state.tsx';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import classes from '#src/screens/report-presets.module.css';
import { useRead } from '#src/screens/use-read.ts';
import { IconClock } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { MailWaits } from '#src/screens/mail-waits.tsx';

const toWhom = ({ users, roles, addresses }: Schedule): string =>
  [
    users.length > 0 && countOf(users.length, 'person', 'people'),
    roles.length > 0 && countOf(roles.length, 'job role'),
    addresses.length > 0 && countOf(addresses.length, 'address', 'addresses'),
  ]
    .filter(Boolean)
    .join(', ');

const Row = ({ schedule }: { schedule: Schedule }) => {
  const brand = useBrand();
  const { id, name, report_type, organisation, owner, next_at, stopped_why, deliveries } = schedule;
  const [last] = deliveries;
  return (
    <li className={`app-card ${classes.row}`}>
      <div className={layout.between}>
        <Title order={2} size="h4">
          <Link to={pathTo('reports-schedules-by-id', { id })}>{name}</Link>
        </Title>
        <ScheduleState schedule={schedule} />
      </div>
      <p>
        {reports.find((r) => r.id === report_type)?.title(brand)}, {rhythmWords(schedule)}, to {toWhom(schedule)}.
      </p>
      {stopped_why && <p className={classes.danger}>{stopped_why} Open it and save it to have it sent as you see it.</p>}
      <div className={layout.between}>
        <span className={layout.soft}>
          {[organisation.name, owner.name, next_at && `next on ${formatMoment(next_at)}`].filter(Boolean).join(' · ')}
        </span>
        {last && <DeliveryState delivery={last} />}
      </div>
      {last?.state === 'failed' && last.problem && !stopped_why && <p className={classes.danger}>{last.problem}</p>}
    </li>
  );
};

/** The scheduled reports. */
export const Component = () => {
  const { state, retry } = useRead('GET /reports/schedules', {});
  const [adding, setAdding] = useState(false);
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Report schedules
        </Title>
        {!adding && state.kind === 'loaded' && state.data.length > 0 && <Button onClick={() => setAdding(true)}>Add a schedule</Button>}
      </div>
      {adding && (
        <ScheduleForm
          schedule={null}
          onSaved={() => {
            setAdding(false);
            retry();
          }}
          onCancel={() => setAdding(false)}
        />
      )}
      <MailWaits />
      <ReadPlaceholder state={state} retry={retry} loading="Loading schedules" offline="Report schedules need a connection." />
      {state.kind === 'loaded' && state.data.length === 0 && !adding && (
        <EmptyState icon={<IconClock size={36} />} title="No schedules yet" action={<Button onClick={() => setAdding(true)}>Add a schedule</Button>}>
          A schedule sends a report by e-mail every day, week or month, to the people you choose.
        </EmptyState>
      )}
      {state.kind === 'loaded' && state.data.length > 0 && (
        <ul className={layout.list}>
          {state.data.map((schedule) => (
            <Row key={schedule.id} schedule={schedule} />
          ))}
        </ul>
      )}
    </div>
  );
};
