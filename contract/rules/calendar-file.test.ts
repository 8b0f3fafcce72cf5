import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { instantOf } from '#contract/rules/days.ts';
import { calendarFile } from '#contract/rules/calendar-file.ts';

const made = new Date('2026-11-20T10:00:00Z');
const booking = {
  ...{ session_id: 'aaaaaaaa-0000-4000-8000-000000000001', course: { id: 'c', name: 'Moving & handling; part 2, practical' }, rev: 3 },
  ...{ trainer: { id: 't', name: 'Tomasz Zieliński' }, venue: 'Willowbrook House', room: 'Activity room', address: '1 Mill Lane\nLeeds LS1 4AB' },
  ...{ joining_link: '', external_trainer: '' },
  ...{ aim: 'Bring flat shoes. '.repeat(12).trim(), state: 'booked' as const },
};
const at = (day: string, zone = 'Europe/London') => ({ starts_at: instantOf(day, '09:30', zone), ends_at: instantOf(day, '12:30', zone) });
const read = (text: string) => {
  const component = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return { component, event: new ICAL.Event(component.getFirstSubcomponent('vevent') as ICAL.Component) };
};

describe('a booking as a calendar file', () => {
  it('is read by another library as what it is, whatever its words', () => {
    const { component, event } = read(calendarFile({ ...booking, ...at('2026-12-02') }, 'https://care.example', made));
    expect(component.getFirstPropertyValue('method')).toBe('PUBLISH');
    expect(event.uid).toBe(`session-${booking.session_id}@care.example`);
    expect([event.summary, event.sequence]).toEqual([booking.course.name, 3]);
    expect(event.location).toBe('Willowbrook House, Activity room, 1 Mill Lane\nLeeds LS1 4AB');
    expect(event.description).toBe(`Trainer: Tomasz Zieliński\n\n${booking.aim}`);
    const brings = { ...booking, external_trainer: 'Una Doyle, First Aid Ltd', bring: 'Flat shoes.', ...at('2026-12-02') };
    expect(read(calendarFile(brings, 'https://care.example', made)).event.description).toBe(
      `Trainer: Una Doyle, First Aid Ltd\n\n${booking.aim}\n\nWhat to bring: Flat shoes.`,
    );
    expect([event.startDate.toJSDate(), event.endDate.toJSDate()]).toEqual([new Date('2026-12-02T09:30:00Z'), new Date('2026-12-02T12:30:00Z')]);
  });

  it.each([
    ['the day before the clocks go forward', '2026-03-28', '09:30'],
    ['the day they do', '2026-03-29', '08:30'],
    ['the day before they go back', '2026-10-24', '08:30'],
    ['the day they do', '2026-10-25', '09:30'],
  ])('begins at 09:30 where it is on %s', (_, day, utc) => {
    const { event } = read(calendarFile({ ...booking, ...at(day) }, 'https://care.example', made));
    expect(event.startDate.toJSDate().toISOString()).toBe(`${day}T${utc}:00.000Z`);
  });

  it('says of a place that is to be accepted that it is not certain, and until when', () => {
    const answer = { at: null, counts_at: null, lapses_at: '2026-11-21T14:00:00.000Z' };
    const open = { ...booking, ...at('2026-12-02'), answer, zone: 'Europe/London' };
    const entry = (of: object) => read(calendarFile({ ...open, ...of }, 'https://care.example', made)).event;
    expect(entry({}).component.getFirstPropertyValue('status')).toBe('TENTATIVE');
    expect(entry({}).description).toMatch(/^Not accepted yet: accept the place under Your bookings by 21\/11\/2026 at 14:00\./);
    const accepted = entry({ answer: { ...answer, at: '2026-11-20T09:00:00.000Z' } });
    expect([accepted.component.getFirstPropertyValue('status'), accepted.description]).toEqual(['CONFIRMED', entry({ answer: null }).description]);
  });

  it('cancels the entry that the calendar has, once it is not on any more', () => {
    const { component, event } = read(
      calendarFile({ ...booking, ...at('2026-12-02'), state: 'cancelled', rev: 4 } as never, 'https://care.example', made),
    );
    expect(component.getFirstPropertyValue('method')).toBe('CANCEL');
    expect([event.uid, event.sequence, event.component.getFirstPropertyValue('status')]).toEqual([
      ...[`session-${booking.session_id}@care.example`, 4, 'CANCELLED'],
    ]);
  });

  it('keeps every line within 75 bytes, parted by CR LF', () => {
    const text = calendarFile({ ...booking, ...at('2026-12-02') }, 'https://care.example', made);
    const lines = text.split('\r\n');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.join('')).not.toContain('\n');
    for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  });
});
