import '@mantine/core/styles/Combobox.css';
import { Button, Checkbox, Select, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';
import { type ReportPreset, ReportPreset as Preset } from '#contract/api/report-presets.ts';
import { goneWords } from '#contract/reports/chosen.ts';
import type { ReportFilter } from '#contract/reports/filter.ts';
import { filterAmong, type Report } from '#contract/reports/report.ts';
import { reports } from '#contract/reports/reports.ts';
import { presetSentence } from '#contract/reports/sentence.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { Form } from '#src/screens/form.tsx';
import classes from '#src/screens/report-presets.module.css';
import { ConflictSection, useRevised } from '#src/screens/revised.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconAlert } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

/** The query parameter that names a saved view. */
export const presetParam = 'preset';
const reportOf = (id: string): Report | undefined => reports.find((r) => r.id === id);
/** The page that shows a saved view. */
export const presetPath = ({ id, report_type }: Pick<ReportPreset, 'id' | 'report_type'>): string => {
  const report = reportOf(report_type);
  return `${report?.page ?? report?.path ?? ''}?${presetParam}=${id}`;
};
/** A saved view's filter, as a sentence. */
export const usePresetSentence = () => {
  const brand = useBrand();
  return (preset: Pick<ReportPreset, 'report_type' | 'names'>, values: object = preset): string => {
    const report = reportOf(preset.report_type);
    return report ? presetSentence(report, values as Record<string, unknown>, preset.names, brand) : '';
  };
};
/** A person's saved views, of one report or of all. */
export const usePresets = (report?: ReportPreset['report_type']) => {
  const acting = useActingAs();
  return useReadOf<ReportPreset[]>(
    ['report-presets', report ?? 'all', acting?.id],
    (signal) => call('GET /reports/presets', { query: report ? { report_type: report } : {} }, { signal, quiet: true }),
    { keepShown: true },
  );
};

const SaveForm = ({
  report,
  filter,
  onSaved,
  onCancel,
}: {
  report: Report;
  filter: object;
  onSaved: (preset: ReportPreset) => void;
  onCancel: () => void;
}) => {
  const form = useForm({
    schema: z.object({ name: Preset.shape.name, shared: z.boolean(), is_default: z.boolean() }),
    begin: { name: '', shared: false, is_default: false },
    toInput: (typed) => typed,
    save: (data) => call('POST /reports/presets', { body: { ...filter, ...data, report_type: report.id as ReportPreset['report_type'] } }),
    success: 'Saved.',
    onSaved,
  });
  return (
    <Form
      form={form}
      label="Save this view"
      save="Save view"
      beside={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <TextInput label="Name" maxLength={100} autoFocus {...form.field('name')} />
      <div>
        <Checkbox
          label="Share it"
          description="Everybody at your organisation and below it who may read this report sees it."
          {...form.checkbox('shared')}
        />
        <Checkbox mt={12} label="Open this report with it" description="For you only." {...form.checkbox('is_default')} />
      </div>
    </Form>
  );
};

type ChangesProps = { report: Report; preset: ReportPreset; filter: object; onSaved: () => void; onTaken: (preset: ReportPreset) => void };
const chooses = (report: Report, values: object): string =>
  JSON.stringify(report.filter.safeParse(filterAmong(report, values as Record<string, unknown>)).data);
/** Saves the current filter in the saved view that was applied. If somebody else saved it since, the conflict is shown. */
const SaveChanges = ({ report, preset, filter, onSaved, onTaken }: ChangesProps) => {
  const revised = useRevised(preset);
  const { conflict } = revised;
  const sentence = usePresetSentence();
  const update = useAction(
    () =>
      revised.save((rev) =>
        call('PATCH /reports/presets/{id}', { params: { id: preset.id }, body: { ...filter, ...(rev === undefined ? {} : { rev }) } }),
      ),
    { success: 'Saved.', onDone: onSaved },
  );
  // Values chosen since have no names in the saved view.
  const { state } = useReadOf(['names-chosen', conflict ? filter : null], async (signal) =>
    conflict && 'entities' in filter
      ? call('POST /reports/selection', { body: filter as Partial<ReportFilter> }, { signal, quiet: true })
      : { kind: 'ok' as const, data: null },
  );
  const names = state.kind === 'loaded' && state.data ? state.data.chosen : preset.names;
  if (conflict)
    return (
      <form
        className={classes.conflict}
        aria-label={`Changes of ${preset.name}`}
        onSubmit={(e) => {
          e.preventDefault();
          void update.run();
        }}
      >
        <ConflictSection
          conflict={{
            ...conflict,
            takeTheirs: () => {
              conflict.takeTheirs();
              onTaken(conflict.theirs);
            },
          }}
          sides={{
            mine: sentence({ report_type: preset.report_type, names }, filter),
            theirs: `${conflict.theirs.name === preset.name ? '' : `${conflict.theirs.name}: `}${sentence(conflict.theirs)}`,
          }}
          busy={update.busy}
        />
      </form>
    );
  if (chooses(report, revised.thing) === chooses(report, filter)) return null;
  return (
    <Button variant="default" loading={update.busy} onClick={() => void update.run()}>
      Save changes
    </Button>
  );
};

type BarProps = {
  report: Report;
  /** The current filter. */
  filter: object;
  /** No filter is set: the default is applied when the page is opened. */
  plain: boolean;
  onApply: (filter: object, preset: string) => void;
};

/**
 * The saved views of a report: choosing, saving and changing them. The one in the address is applied when the page is opened; without a
 * filter the person's default.
 */
export const PresetBar = ({ report, filter, plain, onApply }: BarProps) => {
  const me = useSession();
  const [query] = useSearchParams();
  const { state, retry } = usePresets(report.id as ReportPreset['report_type']);
  const [saving, setSaving] = useState(false);
  const presets = state.kind === 'loaded' ? state.data : null;
  const named = query.get(presetParam);
  const chosen = presets?.find((p) => p.id === named) ?? null;
  /** Counts applications of a saved view: the filter is then a change of that version. */
  const [applied, setApplied] = useState(0);
  const apply = (preset: ReportPreset) => {
    const values = filterAmong(report, preset);
    setApplied((before) => before + 1);
    if (values) onApply({ ...filter, ...values }, preset.id);
  };
  const opened = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the saved views have loaded
  useEffect(() => {
    if (!presets || opened.current) return;
    opened.current = true;
    const first = named ? presets.find((p) => p.id === named) : presets.find((p) => p.is_default);
    if (first && plain) apply(first);
  }, [presets]);
  if (!presets) return null;
  const option = (p: ReportPreset) => ({ value: p.id, label: p.name });
  const groups = [
    { group: 'Mine', items: presets.filter((p) => p.owner.id === me?.uuid).map(option) },
    { group: 'Shared with me', items: presets.filter((p) => p.owner.id !== me?.uuid).map(option) },
  ].filter((g) => g.items.length > 0);
  return (
    <section aria-label="Saved views" className={classes.saved}>
      <div className={classes.bar}>
        {presets.length > 0 && (
          <Select
            className={classes.choose}
            label="Saved view"
            placeholder="Choose one"
            data={groups}
            value={chosen?.id ?? null}
            searchable={presets.length > 8}
            onChange={(id) => {
              const preset = presets.find((p) => p.id === id);
              if (preset) apply(preset);
            }}
          />
        )}
        {chosen?.can_change && (
          <SaveChanges
            key={`${chosen.id} ${applied}`}
            report={report}
            preset={chosen}
            filter={filter}
            onSaved={retry}
            onTaken={(theirs) => {
              retry();
              apply(theirs);
            }}
          />
        )}
        {!saving && (
          <Button variant="default" onClick={() => setSaving(true)}>
            {chosen ? 'Save as another' : 'Save this view'}
          </Button>
        )}
      </div>
      {saving && (
        <div className={`app-card ${layout.block}`}>
          <SaveForm
            report={report}
            filter={filter}
            onSaved={(preset) => {
              setSaving(false);
              retry();
              onApply(filter, preset.id);
            }}
            onCancel={() => setSaving(false)}
          />
        </div>
      )}
      {named && !chosen && (
        <p className={layout.notice} data-tone="warning" role="alert">
          <IconAlert size={20} /> {texts.failedToFetchPreset} It may have been deleted, or is not shared with you.
        </p>
      )}
      {chosen && chosen.gone.length > 0 && (
        <p className={layout.notice} data-tone="warning" role="status">
          <IconAlert size={20} /> {goneWords(chosen.gone)}
        </p>
      )}
    </section>
  );
};

/** A link to a saved view, with its filter in words. */
export const PresetLine = ({ preset, order = 3 }: { preset: ReportPreset; order?: 2 | 3 }) => {
  const sentence = usePresetSentence();
  return (
    <>
      <div className={layout.between}>
        <Title order={order} size="h4">
          <Link to={presetPath(preset)}>{preset.name}</Link>
        </Title>
        {preset.is_default && <Badge tone="plain">Default</Badge>}
      </div>
      <p>{sentence(preset)}</p>
      {preset.gone.length > 0 && <p className={layout.soft}>{goneWords(preset.gone)}</p>}
    </>
  );
};
