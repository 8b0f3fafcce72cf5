import { Checkbox, NumberInput } from '@mantine/core';
import { defaultTimeZone } from '#contract/rules/days.ts';
import { clockChanges, seriesDays } from '#contract/rules/series.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/features/training-sessions/register.module.css';
import { nearDay } from '#src/device/near-day.ts';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';

type Typed = string | number;
type Repeats = { repeats: boolean; repeat: { every_weeks: Typed; times: Typed } };
export const noRepeat: Repeats = { repeats: false, repeat: { every_weeks: 1, times: 4 } };
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
const isWhole = (typed: Typed, least: number, most: number) => Number.isInteger(Number(typed)) && Number(typed) >= least && Number(typed) <= most;

type Props = {
  date: string;
  startTime: string;
  values: Repeats;
  checkbox: object;
  part: (path: string) => object;
};
/** Repeats the session every so many weeks, and shows the resulting days. */
export const RepeatFields = ({ date, startTime, values: { repeats, repeat }, checkbox, part }: Props) => {
  const zone = useSession()?.time_zone ?? defaultTimeZone;
  const whole = /^\d{4}-\d\d-\d\d$/.test(date) && isWhole(repeat.every_weeks, 1, 8) && isWhole(repeat.times, 2, 26);
  const days = whole ? seriesDays(date, { every_weeks: Number(repeat.every_weeks), times: Number(repeat.times) }) : [];
  const changes = /^\d\d:\d\d$/.test(startTime) ? clockChanges(days, startTime, zone) : [];
  const number = { clampBehavior: 'none', allowDecimal: false, allowNegative: false, hideControls: true } as const;
  return (
    <>
      <Checkbox label="Repeat it on the same day of the week" {...checkbox} />
      {repeats && (
        <div className={form.pair}>
          <NumberInput label="Weeks from one session to the next" {...number} {...part('repeat.every_weeks')} />
          <NumberInput label="How many times in all" {...number} {...part('repeat.times')} />
        </div>
      )}
      {repeats && days.length > 0 && (
        <section aria-label="Days of the series">
          <strong>
            {weekday.format(new Date(`${date}T00:00:00Z`))}s, {days.length} sessions
          </strong>
          <ol className={classes.days}>
            {days.map((day) => (
              <li key={day}>
                {nearDay(day)}
                {changes.includes(day) && <small className={layout.soft}>After the clock change; it still begins at {startTime}.</small>}
              </li>
            ))}
          </ol>
          <small className={layout.soft}>Bank holidays are not left out: change or cancel the session of such a day afterwards.</small>
        </section>
      )}
    </>
  );
};
