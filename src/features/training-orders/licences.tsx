import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { mayOrder } from '#contract/api/marketplace.ts';
import { can } from '#contract/can.ts';
import type { Licence, OrderLine, TrainingOrder } from '#contract/entities/training-order.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { FieldErrors } from '#src/api/field-errors.ts';
import { countOf, formatDay } from '#src/lib/format.ts';
import { MultiPicker, type Option } from '#src/screens/pickers.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

const useWords = (l: Licence): string => (l.completed ? 'Completed' : l.begun ? 'Begun' : 'Not begun');
type Props = { order: TrainingOrder; onChanged: () => void };

const Line = ({ order, line, licences, onChanged }: Props & { line: OrderLine; licences: readonly Licence[] }) => {
  const mayAssign = can(useSession(), mayOrder);
  const [people, setPeople] = useState<Option[]>([]);
  const [errors, setErrors] = useState<FieldErrors>({});
  const assign = useAction(
    () => call('POST /training-orders/{id}/licences', { params: { id: order.id }, body: { line_id: line.id, user_ids: people.map((p) => p.id) } }),
    {
      success: 'Assigned. They have been told.',
      onDone: () => {
        setPeople([]);
        setErrors({});
        onChanged();
      },
      onFailed: setErrors,
    },
  );
  const release = useAction((licence: string) => call('DELETE /training-orders/{id}/licences/{licence}', { params: { id: order.id, licence } }), {
    success: 'Released. Somebody else can have it.',
    onDone: onChanged,
  });
  const lineLicences = licences.filter((l) => l.line_id === line.id);
  const [free, held] = [lineLicences.filter((l) => !l.user && !l.ended).length, lineLicences.filter((l) => l.user !== null)];
  const ended = lineLicences.length > 0 && lineLicences.every((l) => l.ended);
  const until = line.expires_at && `${ended ? 'expired' : 'until'} ${ended ? 'on ' : ''}${formatDay(line.expires_at)}`;
  const what = line.type === 'elearning' ? 'licence' : 'place';
  if (line.seats === null)
    return (
      <Section title={line.title}>
        <p className={layout.count}>{['For everybody', until].filter(Boolean).join(', ')}.</p>
      </Section>
    );
  const columns: readonly Column<Licence>[] = [
    { id: 'name', header: 'Person', width: 180, grow: 1.2, sort: true, value: (l) => l.user?.name ?? '' },
    {
      id: 'since',
      header: 'Since',
      width: 120,
      grow: 0.3,
      sort: true,
      value: (l) => (l.assigned_at ? formatDay(l.assigned_at) : ''),
      order: (l) => l.assigned_at,
    },
    { id: 'use', header: 'Use', width: 120, grow: 0.3, sort: true, keep: true, value: useWords },
    {
      ...{ id: 'release', header: 'Release', width: 120, grow: 0, actions: true as const, value: () => '' },
      cell: (l) =>
        mayAssign &&
        !l.begun &&
        !l.ended && (
          <Button variant="subtle" color="gray" aria-label={`Release the ${what} of ${l.user?.name ?? ''}`} onClick={() => void release.run(l.id)}>
            Release
          </Button>
        ),
    },
  ];
  return (
    <Section title={line.title}>
      <p className={layout.count} role="status">
        {[`${held.length} of ${countOf(lineLicences.length, what)} assigned`, `${free} free`, until].filter(Boolean).join(', ')}.
      </p>
      {mayAssign && line.shortage === null && !ended && lineLicences.length > 0 && free === 0 && (
        <p className={layout.notice} data-tone="plain">
          All of these are used. Others for the same course are left: see your <Link to={pathTo('training-orders')}>orders</Link>.
        </p>
      )}
      {mayAssign && line.shortage && (
        <p className={layout.notice} data-tone="warning">
          {line.shortage === 'none'
            ? `All are used. Release one that nobody has begun${line.offered ? ', or order more: ' : '. '}`
            : `Few are left. ${line.offered ? 'Order more before the last one is used: ' : ''}`}
          {line.offered ? (
            <Link to={pathTo('marketplace-by-id', { id: line.item_id })}>{line.title}</Link>
          ) : (
            <>
              It is not offered any more. Look for another in the <Link to={pathTo('marketplace')}>marketplace</Link>.
            </>
          )}
        </p>
      )}
      {mayAssign && !ended && free > 0 && (
        <>
          <MultiPicker
            from="people"
            label="Assign to"
            value={people}
            except={held.flatMap((l) => l.user?.id ?? [])}
            error={Object.values(errors)[0]}
            onChange={(to) => {
              setPeople(to);
              setErrors({});
            }}
          />
          <div>
            <Button disabled={people.length === 0} loading={assign.busy} onClick={() => void assign.run()}>
              Assign
            </Button>
          </div>
        </>
      )}
      {held.length > 0 && <Table label={`Who has ${line.title}`} name="licences" columns={columns} rows={held} />}
    </Section>
  );
};

/** The holders of an order's licences. */
export const Licences = ({ order, onChanged, renew }: Props & { renew: { run: () => void; busy: boolean } | null }) => {
  const { state, retry } = useRead('GET /training-orders/{id}/licences', { params: { id: order.id } });
  if (state.kind !== 'loaded')
    return (
      <Section title="Licences">
        <ReadPlaceholder state={state} retry={retry} loading="Loading the licences" offline="Licences need a connection." />
      </Section>
    );
  return (
    <>
      {order.lines.map((line) => (
        <Line
          key={line.id}
          order={order}
          line={line}
          licences={state.data}
          onChanged={() => {
            retry();
            onChanged();
          }}
        />
      ))}
      {renew && (
        <div>
          <Button variant="default" loading={renew.busy} onClick={renew.run}>
            Renew this order
          </Button>
        </div>
      )}
    </>
  );
};
