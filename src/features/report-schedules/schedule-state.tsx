import { type Delivery, deliveryStates, type Schedule } from '#contract/api/report-schedules.ts';
import { formatMoment } from '#src/lib/format.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';

const tones: Record<Delivery['state'], Tone> = { waiting: 'plain', sent: 'ok', failed: 'danger', stopped: 'warning' };
/** The outcome of a delivery, and when. */
export const DeliveryState = ({ delivery: { state, ended_at } }: { delivery: Delivery }) => (
  <Badge tone={tones[state]}>
    {deliveryStates[state]}
    {ended_at ? ` ${formatMoment(ended_at)}` : ''}
  </Badge>
);

export const ScheduleState = ({ schedule: { paused, stopped_why } }: { schedule: Schedule }) =>
  stopped_why ? <Badge tone="danger">Stopped</Badge> : paused ? <Badge tone="warning">Paused</Badge> : <Badge tone="ok">On</Badge>;
