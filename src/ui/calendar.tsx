import '@mantine/dates/styles.css';
import { DatePicker } from '@mantine/dates';

type Props = { value: string | null; today: string; onChoose: (day: string) => void };

/** The days of a month, to choose one; the week starts on Monday. */
export const Calendar = ({ value, today, onChoose }: Props) => (
  <DatePicker
    size="md"
    value={value}
    hideOutsideDates
    defaultDate={value ?? today}
    firstDayOfWeek={1}
    weekendDays={[]}
    ariaLabels={{
      ...{ nextMonth: 'Next month', previousMonth: 'Previous month', nextYear: 'Next year', previousYear: 'Previous year' },
      ...{ nextDecade: 'Next ten years', previousDecade: 'Previous ten years' },
    }}
    getDayProps={(day) => ({
      // Seven side by side, also on the narrowest phone.
      style: { minHeight: 44, minWidth: 0, width: 'min(42px, (100vw - 56px) / 7)' },
      ...(day === today ? { 'data-today': true, 'aria-current': 'date' as const } : {}),
    })}
    onChange={(day) => day && onChoose(day)}
  />
);
