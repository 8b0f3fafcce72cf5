import { ActionIcon, Input, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { dayWords } from '#contract/rules/days.ts';
import { dayTyped, timeTyped } from '#src/lib/day-text.ts';
import { dayOf } from '#src/lib/format.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import layout from '#src/ui/form.module.css';
import { IconCalendar } from '#src/ui/icons.tsx';

const Calendar = loadedLater(() => import('#src/ui/calendar.tsx').then((m) => m.Calendar));
const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value);

/** The text of a field with its parsed value (`read`): normalised when the field is left, kept if it cannot be parsed. */
const useTyped = (value: string, read: (text: string) => string | null, show: (value: string) => string, onChange: (value: string) => void) => {
  const [text, setText] = useState(show(value));
  const reported = useRef(value);
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(show(value));
  }, [value, show]);
  const tell = (to: string) => {
    reported.current = to;
    onChange(to);
  };
  return {
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => {
      const typed = event.currentTarget.value;
      setText(typed);
      tell(read(typed) ?? typed.trim());
    },
    onBlur: () => setText(show(reported.current)),
  };
};

type FieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'type' | 'rightSection' | 'rightSectionWidth'> & {
  onChange: (value: string) => void;
};
const showDay = (day: string) => (isDay(day) ? dayWords(day) : day);

/**
 * A day, typed as DD/MM/YYYY or chosen from a calendar. The value is YYYY-MM-DD, empty, or the typed text if it is not a day: the
 * form's schema reports that.
 */
export const DateField = ({ value, onChange, ...props }: FieldProps & { value: string }) => {
  const [open, setOpen] = useState(false);
  const typed = useTyped(value, dayTyped, showDay, onChange);
  const label = typeof props.label === 'string' ? props.label : (props['aria-label'] ?? '');
  const calendar = (
    <Popover opened={open} onChange={setOpen} trapFocus returnFocus hideDetached={false} shadow="md" position="bottom-end">
      <Popover.Target>
        <ActionIcon variant="subtle" disabled={props.disabled ?? false} aria-label={`Choose a date: ${label}`} onClick={() => setOpen(!open)}>
          <IconCalendar size={22} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Calendar
          meanwhile={<div className={layout.calendar} />}
          value={isDay(value) ? value : null}
          today={dayOf(new Date())}
          onChoose={(day) => {
            onChange(day);
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
  return (
    <TextInput
      placeholder="DD/MM/YYYY"
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
      {...props}
      {...typed}
      rightSection={calendar}
      rightSectionWidth={46}
    />
  );
};

const same = (text: string) => text;
/** A time of day, typed as HH:MM. The value is that, empty, or the typed text if it is not a time. */
export const TimeField = ({ value, onChange, ...props }: FieldProps & { value: string }) => (
  <TextInput placeholder="HH:MM" inputMode="numeric" autoComplete="off" maxLength={5} {...props} {...useTyped(value, timeTyped, same, onChange)} />
);

/** A day and a time of day. The value is YYYY-MM-DDTHH:MM, or empty. */
export const MomentField = ({
  label,
  description,
  error,
  value,
  onChange,
  ...props
}: Omit<FieldProps, 'label' | 'style'> & { label: string; value: string }) => {
  const [day = '', time = ''] = value.split('T');
  const tell = (toDay: string, toTime: string) => onChange(toDay || toTime ? `${toDay}T${toTime}` : '');
  return (
    <Input.Wrapper label={label} description={description} error={error} size="md" labelElement="div" role="group" aria-label={label}>
      <div className={layout.moment}>
        <DateField {...props} aria-label={`${label}: date`} error={Boolean(error)} value={day} onChange={(to) => tell(to, time)} />
        <TimeField {...props} aria-label={`${label}: time`} error={Boolean(error)} value={time} onChange={(to) => tell(day, to)} />
      </div>
    </Input.Wrapper>
  );
};
