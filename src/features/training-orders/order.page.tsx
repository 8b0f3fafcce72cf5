import { Button, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { mayOrder } from '#contract/api/marketplace.ts';
import { can } from '#contract/can.ts';
import type { OrderLine, TrainingOrder } from '#contract/entities/training-order.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { leftOf, needsReason, type OrderStep } from '#contract/rules/order-states.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { FieldErrors } from '#src/api/field-errors.ts';
import { DraftForm } from '#src/features/training-orders/draft-form.tsx';
import { Licences } from '#src/features/training-orders/licences.tsx';
import { ShortageBadge, StateBadge, stepWords } from '#src/features/training-orders/words.tsx';
import { countOf, formatDay, formatMoment } from '#src/lib/format.ts';
import { AccountsFiles } from '#src/screens/accounts-files.tsx';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { useUnsaved } from '#src/screens/unsaved.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

const lineColumns: readonly Column<OrderLine>[] = [
  { id: 'title', header: 'Item', width: 220, grow: 1.5, value: (l) => l.title },
  { id: 'quantity', header: 'How many', width: 100, grow: 0, align: 'end', value: (l) => l.quantity },
  { id: 'price', header: 'Each', width: 110, grow: 0, align: 'end', value: (l) => moneyWords(l.price_pence) },
  { id: 'net', header: 'Net', width: 110, grow: 0, align: 'end', value: (l) => moneyWords(l.net_pence) },
  { id: 'vat', header: 'VAT', width: 130, grow: 0, align: 'end', value: (l) => `${moneyWords(l.vat_pence)} (${l.vat_rate}\u00a0%)` },
  { id: 'gross', header: 'With VAT', width: 120, grow: 0, align: 'end', keep: true, value: (l) => moneyWords(l.gross_pence) },
];

/** Asks for the reason, then makes the transition. */
const ReasonForm = ({
  step,
  onSend,
  onCancel,
  error,
  busy,
}: {
  step: OrderStep;
  onSend: (reason: string) => void;
  onCancel: () => void;
  error: string | undefined;
  busy: boolean;
}) => {
  const [reason, setReason] = useState('');
  useUnsaved(useId(), reason.trim() !== '');
  return (
    <Section title={step === 'decline' ? 'Decline this order' : 'Cancel this order'}>
      <Textarea
        label="Reason"
        description={step === 'decline' ? 'The person who ordered reads it.' : 'The other side reads it.'}
        autosize
        minRows={2}
        maxLength={1000}
        value={reason}
        error={error}
        onChange={(e) => setReason(e.currentTarget.value)}
      />
      <div className={layout.tools}>
        <Button color="red" loading={busy} onClick={() => onSend(reason)}>
          {step === 'decline' ? 'Decline' : 'Cancel the order'}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Back
        </Button>
      </div>
    </Section>
  );
};

const Budget = ({ order }: { order: TrainingOrder }) => {
  const { budget, over_budget } = order;
  const waits = order.state === 'draft' || order.state === 'submitted' || order.state === 'declined';
  if (order.side !== 'client' || (!budget && !waits)) return null;
  const left = budget && leftOf(budget);
  return (
    <Facts
      title={budget ? `Budget ${budget.year} of ${budget.entity.name}` : 'Budget'}
      facts={[
        ['Set for the year', budget && moneyWords(budget.amount)],
        ['Spent on others', budget && moneyWords(budget.spent)],
        ['Booked, to be held', budget && moneyWords(budget.booked)],
        ['Others waiting', budget && moneyWords(budget.reserved)],
        ['Left for this', left !== null && moneyWords(Math.max(0, left))],
        ['This order', budget && moneyWords(order.gross_pence)],
        ['', !budget && 'Nobody has set one for this year. An administrator of the organisation decides.'],
        [
          '',
          budget && over_budget && `This is ${moneyWords(order.gross_pence - Math.max(0, left ?? 0))} over what is left. The budget holder decides.`,
        ],
      ]}
    />
  );
};

const Invoice = ({ order }: { order: TrainingOrder }) => (
  <AccountsFiles
    name={order.number}
    about="The lines of this order with net, VAT and gross. It is paid outside the product."
    load={(format) => call('GET /training-orders/{id}/invoice', { params: { id: order.id }, query: { format } })}
  />
);

const Order = ({ order, retry }: { order: TrainingOrder; retry: () => void }) => {
  const navigate = useNavigate();
  const orders = can(useSession(), mayOrder);
  const [reasonFor, setReasonFor] = useState<OrderStep | null>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [unsaved, setUnsaved] = useState(false);
  const take = useAction(
    (step: OrderStep, reason?: string) =>
      call('POST /training-orders/{id}/steps', {
        params: { id: order.id },
        body: {
          step,
          ...(reason === undefined ? {} : { reason }),
          ...(step === 'submit' || step === 'approve' ? { gross_pence: order.gross_pence } : {}),
        },
      }),
    {
      success: (after) =>
        stepWords[after.history.at(-1)?.step === 'fulfil' && order.state === 'submitted' ? 'approve' : (after.history.at(-1)?.step ?? 'fulfil')]
          .confirmation,
      onDone: () => {
        setReasonFor(null);
        setErrors({});
        retry();
      },
      onFailed: (failed) => {
        setErrors(failed);
        if (!failed.reason) notify('error', Object.values(failed)[0] ?? '');
        if (!failed.reason && !failed.lines) retry();
      },
    },
  );
  const renew = useAction(() => call('POST /training-orders/{id}/renewal', { params: { id: order.id } }), {
    success: 'A draft of the same items. Look at it, and submit it.',
    onDone: ({ id }) => void navigate(pathTo('training-orders-by-id', { id })),
  });
  const press = (step: OrderStep) => (step === 'decline' || step === 'cancel' ? setReasonFor(step) : void take.run(step));
  const decided = order.approved_at !== null;
  const draft = order.state === 'draft' && order.side === 'client' && orders;
  return (
    <DetailPage
      title={`Order ${order.number}`}
      badge={
        <>
          <StateBadge state={order.state} />
          {order.shortage && <ShortageBadge shortage={order.shortage} />}
        </>
      }
      about={[
        order.side === 'client' ? order.provider.name : order.entity.name,
        order.side === 'client' && order.entity.name,
        order.approved_at ? `approved on ${formatDay(order.approved_at)}` : order.submitted_at && `submitted on ${formatDay(order.submitted_at)}`,
      ]}
      actions={order.may.map((step) => (
        <Button
          key={step}
          variant={step === 'submit' || step === 'approve' || step === 'fulfil' ? 'filled' : step === 'reopen' ? 'default' : 'subtle'}
          {...(step === 'decline' || step === 'cancel' ? { color: 'red' } : {})}
          loading={take.busy && reasonFor === null}
          disabled={step === 'submit' && (unsaved || order.lines.length === 0)}
          onClick={() => press(step)}
        >
          {step === 'approve' && order.over_budget ? 'Approve over the budget' : stepWords[step].button}
        </Button>
      ))}
      aside={
        <>
          <Facts
            title="Total"
            facts={[
              ['Net', moneyWords(order.net_pence)],
              ['VAT', moneyWords(order.vat_pence)],
              ['With VAT', moneyWords(order.gross_pence)],
              ['Provider’s share', order.provider_pence !== null && moneyWords(order.provider_pence)],
              ['Platform’s share', order.platform_pence !== null && moneyWords(order.platform_pence)],
              ['Your reference', !draft && order.reference],
              ['Made by', order.created_by?.name ?? ''],
              ['Renews', order.renews && <Link to={pathTo('training-orders-by-id', { id: order.renews.id })}>{order.renews.number}</Link>],
            ]}
          />
          <Budget order={order} />
          {decided && <Invoice order={order} />}
        </>
      }
    >
      {order.may_not_approve && (
        <p className={layout.notice} data-tone="warning" role="status">
          {order.may_not_approve}
        </p>
      )}
      {draft && unsaved && (
        <p className={layout.notice} data-tone="warning" role="status">
          Save what you have changed before you submit it.
        </p>
      )}
      {reasonFor && (
        <ReasonForm
          step={reasonFor}
          busy={take.busy}
          error={errors.reason}
          onCancel={() => setReasonFor(null)}
          onSend={(reason) => void take.run(reasonFor, reason || (needsReason(order.state, reasonFor) ? '' : undefined))}
        />
      )}
      {draft ? (
        <DraftForm key={order.rev} order={order} onSaved={retry} onDirty={setUnsaved} />
      ) : (
        <Section title="What is ordered">
          <Table label={`Lines of order ${order.number}`} name="order lines" columns={lineColumns} rows={order.lines} exports={false} />
          {order.note && <p style={{ whiteSpace: 'pre-line', margin: 0 }}>{order.note}</p>}
        </Section>
      )}
      {decided && order.side === 'client' && order.state !== 'cancelled' && (
        <Licences
          order={order}
          onChanged={retry}
          renew={orders && order.may.length === 0 ? { run: () => void renew.run(), busy: renew.busy } : null}
        />
      )}
      {order.history.length > 0 && (
        <Section title="History">
          <ol className={layout.list}>
            {order.history.map((step, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows
              <li key={i}>
                <strong>{stepWords[step.step].history}</strong> by {step.by.name}
                <small className={layout.soft}>
                  {formatMoment(step.at)}
                  {step.reason && ` · ${step.reason}`}
                </small>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {order.side === 'provider' && (
        <p className={layout.count}>
          {`${order.entity.name} has ordered ${countOf(order.lines.length, 'item')}. Who has the licences, and what they said about it, stays with them.`}
        </p>
      )}
    </DetailPage>
  );
};

/** An order: its lines, its state, and the holders of its licences. */
export const Component = () => {
  const { id = '' } = useParams();
  const { state, retry } = useRead('GET /training-orders/{id}', { params: { id } });
  if (state.kind !== 'loaded')
    return (
      <DetailPage title="Training order">
        <ReadPlaceholder state={state} retry={retry} loading="Loading the order" offline="Orders need a connection." />
      </DetailPage>
    );
  return <Order key={state.data.id} order={state.data} retry={retry} />;
};
