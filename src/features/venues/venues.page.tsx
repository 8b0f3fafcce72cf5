import '@mantine/core/styles/ActionIcon.css';
import { ActionIcon, Button, Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core';
import { VenueFields } from '#contract/api/venues.ts';
import { countOf } from '#src/lib/format.ts';
import { FormSection } from '#src/screens/form.tsx';
import { resourcePages } from '#src/screens/resource-pages.tsx';
import styles from '#src/ui/form.module.css';
import { IconBuilding, IconClose } from '#src/ui/icons.tsx';

const access = { step_free: 'Step-free access', hearing_loop: 'Hearing loop', parking: 'Parking' } as const;
const accessKeys = Object.keys(access) as (keyof typeof access)[];
type Room = { id: string | null; name: string; capacity: number | string };

/** The venues of an organisation, and one of them with its rooms. */
export const { List, One } = resourcePages('/venues', {
  routes: { list: 'venues', one: 'venues-by-id' },
  write: 'booking.manage',
  icon: <IconBuilding size={36} />,
  words: () => ({
    ...{ title: 'Venues', one: 'a venue', many: 'venues', looksAt: 'Name or address', none: 'There are no venues yet' },
    first: 'Add the places where you hold training, with their rooms. People who plan a session choose from them.',
    failed: 'The venues could not be loaded.',
    ...{ add: 'Add a venue', heading: 'Venue', headingOf: (venue) => venue.name },
    question: 'Delete this venue? Past sessions keep its name.',
  }),
  columns: [
    { id: 'name', header: 'Name', sort: 'name', width: 180, grow: 1.2, value: (v) => v.name },
    { id: 'address', header: 'Address', width: 200, grow: 1.4, value: (v) => v.address },
    {
      id: 'access',
      header: 'Access',
      width: 200,
      value: (v) =>
        accessKeys
          .filter((key) => v[key])
          .map((key) => access[key])
          .join(', '),
    },
    {
      id: 'rooms',
      header: 'Rooms',
      width: 180,
      value: (v) => v.rooms.map((r) => `${r.name} (${countOf(r.capacity, 'person', 'people')})`).join(', '),
    },
    { id: 'notes', header: 'Access notes', value: (v) => v.access_notes, optional: true },
  ],
  schema: VenueFields,
  begin: (venue) => ({
    ...{ name: venue?.name ?? '', address: venue?.address ?? '', access_notes: venue?.access_notes ?? '' },
    ...{ step_free: venue?.step_free ?? false, hearing_loop: venue?.hearing_loop ?? false, parking: venue?.parking ?? false },
    rooms: (venue?.rooms ?? []) as Room[],
  }),
  toInput: ({ rooms, ...typed }) => ({
    ...typed,
    rooms: rooms.map(({ capacity, ...room }) => ({ ...room, capacity: capacity === '' ? Number.NaN : Number(capacity) })),
  }),
  Fields: ({ form }) => {
    const { rooms } = form.values;
    const setRooms = (to: Room[]) => form.set('rooms', to);
    const { error } = form.field('rooms');
    return (
      <>
        <FormSection title="Where it is">
          <TextInput label="Name" maxLength={200} {...form.field('name')} />
          <Textarea label="Address" autosize minRows={2} maxLength={500} {...form.field('address')} />
        </FormSection>
        <FormSection title="Access">
          {accessKeys.map((key) => (
            <Checkbox key={key} label={access[key]} {...form.checkbox(key)} />
          ))}
          <Textarea
            label="Access notes"
            description="For example: ring at the side door; the lift needs a key."
            autosize
            minRows={2}
            maxLength={1000}
            {...form.field('access_notes')}
          />
        </FormSection>
        <FormSection title="Rooms" data-field="rooms">
          {error && <p role="alert">{error}</p>}
          {rooms.length > 0 && (
            <ul className={styles.lines}>
              {rooms.map((room, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a room is identified by its position in the form
                <li key={i}>
                  <TextInput label={`Room ${i + 1}`} maxLength={200} {...form.part(`rooms.${i}.name`)} />
                  <NumberInput
                    label="Capacity"
                    {...{ min: 1, max: 500, clampBehavior: 'strict', allowDecimal: false, allowNegative: false, hideControls: true }}
                    {...form.part(`rooms.${i}.capacity`)}
                  />
                  <ActionIcon
                    size={44}
                    variant="default"
                    aria-label={`Remove room ${room.name || i + 1}`}
                    onClick={() => setRooms(rooms.filter((r) => r !== room))}
                  >
                    <IconClose size={20} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          )}
          <Button variant="default" onClick={() => setRooms([...rooms, { id: null, name: '', capacity: '' }])}>
            Add a room
          </Button>
        </FormSection>
      </>
    );
  },
});
