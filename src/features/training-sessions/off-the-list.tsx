import { Button } from '@mantine/core';
import { can } from '#contract/can.ts';
import type { Delegate, Register } from '#contract/entities/training-session.ts';
import { isOnRegister } from '#contract/rules/register.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { useRegister } from '#src/features/training-sessions/use-register.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';
import { Badge } from '#src/ui/badge.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

type Props = { register: Register; change: ReturnType<typeof useRegister>['change'] };
const PutBack = ({ register, change, delegate }: Props & { delegate: Delegate }) => {
  const restoring = useAction(async () => {
    const params = { id: register.id, delegate: delegate.id };
    const problem = await change(call('POST /training-sessions/{id}/delegates/{delegate}/restoration', { params }));
    notify(problem ? 'error' : 'success', problem ?? `${delegate.name} is on the list again.`);
    return { kind: 'ok' as const, data: null };
  });
  return (
    <Button variant="subtle" loading={restoring.busy} aria-label={`Put back on the list: ${delegate.name}`} onClick={() => void restoring.run()}>
      Put back
    </Button>
  );
};

type Removed = NonNullable<Delegate['removed']>;
const howWords = ({ declined, lapsed }: Removed) => (declined ? 'Declined' : lapsed ? 'Not accepted in time' : 'Taken off');
/** Nobody removed them: they did not answer. */
const offBy = ({ lapsed, by, at }: Removed) => (lapsed ? formatMoment(at) : `${by.name}, ${formatMoment(at)}`);

/** People who declined or were removed from the list: why, and a button to put them back. */
export const OffTheList = ({ register, change }: Props) => {
  const puts = can(useSession(), 'booking.create') && !register.completed && !register.cancelled;
  const off = register.delegates.filter((d) => !isOnRegister(d));
  if (off.length === 0) return null;
  return (
    <details className={`app-card ${layout.block}`}>
      <summary>{countOf(off.length, 'person', 'people')} no longer coming</summary>
      <ul className={layout.lines}>
        {off.map((delegate) => (
          <li key={delegate.id}>
            <span>
              <strong>{delegate.name}</strong>
              <small className={layout.soft}>
                {[delegate.removed?.why, delegate.removed && offBy(delegate.removed)].filter(Boolean).join(' · ')}
              </small>
            </span>
            <Badge tone={delegate.removed?.declined ? 'danger' : 'plain'}>{delegate.removed ? howWords(delegate.removed) : ''}</Badge>
            {puts && delegate.user && <PutBack {...{ register, change, delegate }} />}
          </li>
        ))}
      </ul>
    </details>
  );
};
