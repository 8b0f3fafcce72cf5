import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import { formatDay, formatMoment } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { IconCalendar } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

/** The new address, which is shown only once: to be copied, or opened in this device's calendar. */
const Address = ({ address }: { address: string }) => {
  const copy = () =>
    void navigator.clipboard.writeText(address).then(
      () => notify('success', 'The address is copied.'),
      () => notify('error', 'This could not be copied. Select the address and copy it yourself.'),
    );
  return (
    <div className={`${layout.notice} ${layout.block}`} data-tone="plain" role="status">
      <strong>You see this address only now.</strong>
      <span>
        Add it to your calendar as a subscription, “from URL”. Anyone who has it can read when and where your training is, and how to join it: keep it
        to yourself.
      </span>
      <TextInput
        label="Address of your calendar"
        value={address}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { textOverflow: 'ellipsis' } }}
      />
      <div className={layout.tools}>
        <Button onClick={copy}>Copy address</Button>
        <Button variant="default" component="a" href={address.replace(/^https?:/, 'webcal:')} leftSection={<IconCalendar size={18} />}>
          Subscribe on this device
        </Button>
      </div>
    </div>
  );
};

/** One's own training as a calendar to subscribe to: creates, replaces and revokes its address. */
export const CalendarFeed = () => {
  const { state, retry } = useRead('GET /bookings/own/calendar-feed', {});
  const [address, setAddress] = useState<string | null>(null);
  const hasLine = useLine();
  const shown = (to: string | null) => {
    setAddress(to);
    retry();
  };
  const making = useAction(() => call('POST /bookings/own/calendar-feed', {}), { onDone: (made) => shown(made.address) });
  const stopping = useAction(() => call('DELETE /bookings/own/calendar-feed', {}), {
    success: 'The calendar feed is stopped.',
    onDone: () => shown(null),
  });
  const feed = state.kind === 'loaded' ? state.data : null;
  return (
    <Section title="Calendar feed">
      <p>
        Your training in the calendar of your phone or computer, kept up to date by itself: when and where it is, its aim, how to join it, and what is
        moved or cancelled. Who gives it and who else comes is left out.
      </p>
      <ReadPlaceholder state={state} retry={retry} loading="Loading your calendar feed" offline="The calendar feed needs a connection." />
      {address && <Address key={address} address={address} />}
      {feed?.made_at && (
        <p className={layout.count}>
          On since {formatDay(feed.made_at)} · {feed.last_read_at ? `last read ${formatMoment(feed.last_read_at)}` : 'not read by a calendar yet'}
          {!address && '. Its address is not shown again: if you need it once more, make a new one.'}
        </p>
      )}
      {feed && (
        <div className={layout.tools}>
          {feed.made_at === null ? (
            <Button variant="default" disabled={!hasLine} loading={making.busy} onClick={() => void making.run()}>
              Make an address
            </Button>
          ) : (
            <>
              <DeleteButton
                label="Make a new address …"
                sure="Make a new address"
                question="The old address stops: calendars that use it are no longer kept up to date."
                onDelete={() => void making.run()}
              />
              <DeleteButton
                label="Stop …"
                sure="Stop"
                question="Calendars that use the address are no longer kept up to date."
                onDelete={() => void stopping.run()}
              />
            </>
          )}
        </div>
      )}
    </Section>
  );
};
