import layout from '#src/ui/page.module.css';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/Combobox.css';
import { Button, Checkbox, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { type Schedule, ScheduleFields, scheduleLimits } from '#contract/api/report-schedules.ts';
import { can } from '#contract/can.ts';
import { filterAmong, mayTakeAs, type ReportFormat } from '#contract/reports/report.ts';
import { reports } from '#contract/reports/reports.ts';
import { frequencies, weekdayWords } from '#contract/rules/next-run.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { MultiPicker, rolesOf } from '#src/screens/pickers.tsx';
import { usePresetSentence, usePresets } from '#src/screens/report-presets.tsx';
import { ConflictSection, useRevised } from '#src/screens/revised.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { TimeField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';

type ReportId = Schedule['report_type'];
const formatWords: Record<ReportFormat, string> = { pdf: 'PDF document', xlsx: 'Excel workbook', csv: 'CSV table' };
const frequencyWords: Record<(typeof frequencies)[number], string> = { daily: 'Every day', weekly: 'Every week', monthly: 'Every month' };
const everything = 'everything';
const asSaved = 'as saved';

/** The default filter of a report. */
const plainFilter = (id: ReportId): Record<string, unknown> =>
  (reports.find((r) => r.id === id)?.filter.safeParse({}).data ?? {}) as Record<string, unknown>;

const begin = (schedule: Schedule | null, report: ReportId) => ({
  ...{ name: schedule?.name ?? '', report_type: schedule?.report_type ?? report, filter: schedule?.filter ?? plainFilter(report) },
  shows: schedule ? asSaved : everything,
  ...{
    format: schedule?.format ?? ('pdf' as ReportFormat),
    as_link: schedule?.as_link ?? false,
    link_days: (schedule?.link_days ?? 7) as number | string,
  },
  ...{
    frequency: schedule?.frequency ?? ('weekly' as const),
    weekday: String(schedule?.weekday ?? 1),
    month_day: (schedule?.month_day ?? 1) as number | string,
  },
  ...{
    send_at: schedule?.send_at ?? '07:00',
    user_ids: schedule?.users ?? [],
    role_ids: schedule?.roles ?? [],
    addresses: schedule?.addresses ?? [],
  },
});
type Values = ReturnType<typeof begin>;
const number = (typed: number | string) => (typed === '' ? Number.NaN : Number(typed));
const toInput = ({ shows: _shows, ...typed }: Values) => ({
  ...typed,
  link_days: typed.as_link ? number(typed.link_days) : 7,
  weekday: typed.frequency === 'weekly' ? Number(typed.weekday) : null,
  month_day: typed.frequency === 'monthly' ? number(typed.month_day) : null,
  ...{ user_ids: typed.user_ids.map((p) => p.id), role_ids: typed.role_ids.map((r) => r.id), addresses: [...typed.addresses] },
});

/** The settings, a line each, to compare typed values with a version that somebody else saved. */
const lines = (v: Values, shows: string): string[] => [
  `Name: ${v.name}`,
  `Report: ${shows}`,
  `File: ${formatWords[v.format]}${v.as_link ? `, as a link for ${v.link_days} days` : ''}`,
  `When: ${frequencyWords[v.frequency]}${v.frequency === 'weekly' ? ` on ${weekdayWords(Number(v.weekday))}` : v.frequency === 'monthly' ? ` on day ${v.month_day}` : ''} at ${v.send_at}`,
  `To: ${[...v.user_ids.map((p) => p.name), ...v.role_ids.map((r) => r.name), ...v.addresses].join(', ') || 'nobody'}`,
];
const differing = (mine: readonly string[], theirs: readonly string[]) => {
  const join = (side: readonly string[]) => side.filter((line, i) => mine[i] !== theirs[i] && line).join('. ') || 'The same.';
  return { mine: join(mine), theirs: join(theirs) };
};

type Props = { schedule: Schedule | null; onSaved: (schedule: Schedule) => void; onCancel: () => void };
const none = {} as Schedule;

/** What a schedule sends, when, and to whom. */
export const ScheduleForm = ({ schedule, ...props }: Props) => {
  const revised = useRevised(schedule ?? none);
  return <Fields key={revised.round} schedule={schedule && revised.thing} revised={revised} {...props} />;
};
const Fields = ({ schedule, revised, onSaved, onCancel }: Props & { revised: ReturnType<typeof useRevised<Schedule>> }) => {
  const me = useSession();
  const acting = useActingAs();
  const brand = useBrand();
  const sentence = usePresetSentence();
  const readableReports = reports.filter((r) => can(me, r.access));
  const fields = useForm({
    schema: ScheduleFields,
    begin: () => begin(schedule, readableReports[0]?.id ?? reports[0].id),
    toInput,
    save: (body) =>
      schedule
        ? revised.save((rev) =>
            call('PATCH /reports/schedules/{id}', { params: { id: schedule.id }, body: { ...body, ...(rev === undefined ? {} : { rev }) } }),
          )
        : call('POST /reports/schedules', { body }),
    success: 'Saved.',
    onSaved,
    draft: schedule ? { name: `schedule ${schedule.id}`, ...revised.draft } : 'schedule',
  });
  const { field, checkbox, values, set } = fields;
  const report = reports.find((r) => r.id === values.report_type) ?? reports[0];
  const { state } = usePresets(report.id);
  const presets = state.kind === 'loaded' ? state.data : [];
  const choose = (report_type: ReportId, filter: Record<string, unknown>, shows: string) => {
    set('report_type', report_type);
    set('filter', filter);
    set('shows', shows);
  };
  const chosenPreset = presets.find((p) => p.id === values.shows);
  const description = chosenPreset ? sentence(chosenPreset) : values.shows === asSaved && schedule ? sentence(schedule, schedule.filter) : '';
  const { conflict } = revised;
  const shows = (id: ReportId, filter: Record<string, unknown>, names: Schedule['names']) =>
    `${(reports.find((r) => r.id === id) ?? reports[0]).title(brand)}, ${sentence({ report_type: id, names }, filter)}`;
  const formats = (Object.keys(formatWords) as ReportFormat[]).filter((f) => mayTakeAs(report, f, (need) => can(me, need)));
  return (
    <Form
      form={fields}
      label="Schedule"
      save={conflict ? false : 'Save'}
      beside={
        <Button variant="default" onClick={onCancel}>
          {schedule ? 'Back' : 'Cancel'}
        </Button>
      }
    >
      {conflict && (
        <ConflictSection
          conflict={conflict}
          sides={differing(
            lines(
              values,
              shows(values.report_type, values.filter, chosenPreset?.names ?? (values.shows === asSaved && schedule ? schedule.names : {})),
            ),
            lines(begin(conflict.theirs, report.id), shows(conflict.theirs.report_type, conflict.theirs.filter, conflict.theirs.names)),
          )}
          busy={fields.busy}
        />
      )}
      <FormSection title="What is sent">
        <TextInput label="Name" maxLength={100} description="It is the subject of the e-mail." {...field('name')} />
        <Select
          label="Report"
          allowDeselect={false}
          data={readableReports.map((r) => ({ value: r.id, label: r.title(brand) }))}
          {...field('report_type')}
          onChange={(id) => id && choose(id as ReportId, plainFilter(id as ReportId), everything)}
        />
        <Select
          label="What it shows"
          allowDeselect={false}
          description={description || 'Save a view on the page of the report to have it here.'}
          data={[
            ...(schedule && schedule.report_type === report.id ? [{ value: asSaved, label: 'As it is now' }] : []),
            { value: everything, label: 'Everything you may see' },
            ...presets.map((p) => ({ value: p.id, label: p.name })),
          ]}
          value={values.shows}
          onChange={(to) => {
            const preset = presets.find((p) => p.id === to);
            const filter = preset && filterAmong(report, preset);
            const shown = filter ?? (to === asSaved && schedule ? schedule.filter : plainFilter(report.id));
            if (to) choose(report.id, shown, to);
          }}
        />
        <div className={form.pair}>
          <Select label="File" allowDeselect={false} data={formats.map((value) => ({ value, label: formatWords[value] }))} {...field('format')} />
          {values.as_link && (
            <NumberInput
              label="The link works for"
              suffix=" days"
              {...{ min: 1, max: scheduleLimits.linkDays, allowDecimal: false, allowNegative: false, hideControls: true }}
              {...field('link_days')}
            />
          )}
        </div>
        <Checkbox
          label="Send a link instead of the file"
          description="It opens after signing in, for recipients who may see the report."
          {...checkbox('as_link')}
        />
      </FormSection>
      <FormSection title="When">
        <div className={form.pair}>
          <Select
            label="How often"
            allowDeselect={false}
            data={frequencies.map((value) => ({ value, label: frequencyWords[value] }))}
            {...field('frequency')}
          />
          {values.frequency === 'weekly' && (
            <Select
              label="Day"
              allowDeselect={false}
              data={[1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: weekdayWords(day) }))}
              {...field('weekday')}
            />
          )}
          {values.frequency === 'monthly' && (
            <NumberInput
              label="Day of the month"
              description="In a shorter month its last day."
              {...{ min: 1, max: 31, allowDecimal: false, allowNegative: false, hideControls: true }}
              {...field('month_day')}
            />
          )}
        </div>
        <TimeField label="Time" description={schedule ? schedule.time_zone : 'In the time zone of your organisation.'} {...field('send_at')} />
      </FormSection>
      <FormSection title="To whom" wide>
        <MultiPicker from="people" label="People" {...field('user_ids')} value={values.user_ids} onChange={(to) => set('user_ids', to)} />
        <MultiPicker
          from={rolesOf(acting?.slug ?? me?.primary_entity.slug ?? '')}
          label="Job roles"
          description="Everyone who has one of them when it is sent, at this organisation or below it."
          {...field('role_ids')}
          value={values.role_ids}
          onChange={(to) => set('role_ids', to)}
        />
        {!values.as_link && (
          <TagsInput
            label="Other e-mail addresses"
            placeholder={values.addresses.length === 0 ? 'name@example.org' : ''}
            description="Within the e-mail domains of your organisation."
            splitChars={[',', ';', ' ']}
            acceptValueOnBlur
            {...field('addresses')}
          />
        )}
        <p className={layout.soft}>
          What is sent is what you may see. Sendings are shown in <Link to={pathTo('tasks-in-progress')}>Tasks in progress</Link>.
        </p>
      </FormSection>
    </Form>
  );
};
