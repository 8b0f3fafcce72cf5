import { Group, Input, NumberInput, Select } from '@mantine/core';

const months = Array.from({ length: 12 }, (_, n) => ({
  value: String(n + 1).padStart(2, '0'),
  label: new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, n, 1)),
}));
type Props = { label: string; value?: string; onChange?: (value: string) => void; error?: React.ReactNode; 'data-field'?: string };

/** A day of the year, as MM-DD; empty while it is incomplete. */
export const DayOfYear = ({ label, value = '', onChange, error, 'data-field': name }: Props) => {
  const [month = '', day = ''] = value.split('-');
  const change = (to: { month?: string; day?: string }) => onChange?.(`${to.month ?? month}-${to.day ?? day}`);
  return (
    <Input.Wrapper label={label} size="md" error={error}>
      <Group gap="sm" wrap="nowrap" mt={6} mb={error ? 6 : 0}>
        <NumberInput
          aria-label={`${label}: day`}
          data-field={name}
          placeholder="Day"
          w={96}
          min={1}
          max={31}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          error={Boolean(error)}
          value={day === '' ? '' : Number(day)}
          onChange={(typed) => change({ day: typed === '' ? '' : String(typed).padStart(2, '0') })}
        />
        <Select
          aria-label={`${label}: month`}
          placeholder="Month"
          data={months}
          error={Boolean(error)}
          flex={1}
          value={month || null}
          onChange={(chosen) => change({ month: chosen ?? '' })}
        />
      </Group>
    </Input.Wrapper>
  );
};
/** In words, for example 31 March. */
export const dayOfYearWords = (on: string): string => `${Number(on.slice(3))} ${months[Number(on.slice(0, 2)) - 1]?.label ?? ''}`;
