import { Button, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { ReportPreset } from '#contract/api/report-presets.ts';
import { reports } from '#contract/reports/reports.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { Form } from '#src/screens/form.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import classes from '#src/screens/report-presets.module.css';
import { PresetLine, usePresets } from '#src/screens/report-presets.tsx';
import { ConflictSection, useRevised } from '#src/screens/revised.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { IconChart } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';

type RenameProps = { preset: ReportPreset; onDone: () => void };
const Rename = ({ preset, ...props }: RenameProps) => {
  const revised = useRevised(preset);
  return <NameForm key={revised.round} preset={revised.thing} revised={revised} {...props} />;
};
const NameForm = ({ preset, revised, onDone }: RenameProps & { revised: ReturnType<typeof useRevised<ReportPreset>> }) => {
  const { conflict } = revised;
  const form = useForm({
    schema: z.object({ name: ReportPreset.shape.name }),
    begin: { name: preset.name },
    toInput: (typed) => typed,
    save: (body) =>
      revised.save((rev) =>
        call('PATCH /reports/presets/{id}', { params: { id: preset.id }, body: { ...body, ...(rev === undefined ? {} : { rev }) } }),
      ),
    success: 'Renamed.',
    onSaved: onDone,
  });
  return (
    <Form
      form={form}
      label={`Rename ${preset.name}`}
      save={conflict ? false : 'Save'}
      beside={
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      }
    >
      {conflict && (
        <ConflictSection
          conflict={conflict}
          sides={{
            mine: form.values.name,
            theirs: conflict.theirs.name === preset.name ? 'The same name; it shows something else now.' : conflict.theirs.name,
          }}
          busy={form.busy}
        />
      )}
      <TextInput label="Name" maxLength={100} autoFocus {...form.field('name')} />
    </Form>
  );
};

const Row = ({ preset, onChanged }: { preset: ReportPreset; onChanged: () => void }) => {
  const me = useSession();
  const [renaming, setRenaming] = useState(false);
  const { id, name, owner, organisation, shared, is_default } = preset;
  const isMine = owner.id === me?.uuid;
  const change = useAction((body: { shared?: boolean; is_default?: boolean }) => call('PATCH /reports/presets/{id}', { params: { id }, body }), {
    success: 'Saved.',
    onDone: onChanged,
  });
  const remove = useAction(() => call('DELETE /reports/presets/{id}', { params: { id } }), { success: 'Deleted.', onDone: onChanged });
  return (
    <li className={`app-card ${classes.row}`}>
      <PresetLine preset={preset} />
      <p className={layout.soft}>
        {[isMine ? 'Yours' : `By ${owner.name}`, shared ? `shared at ${organisation.name}` : 'seen by you only'].join(' · ')}
      </p>
      {renaming && (
        <Rename
          preset={preset}
          onDone={() => {
            setRenaming(false);
            onChanged();
          }}
        />
      )}
      <div className={layout.tools}>
        <Button
          variant="default"
          aria-label={`${is_default ? 'Not my default' : 'Make my default'}: ${name}`}
          onClick={() => void change.run({ is_default: !is_default })}
        >
          {is_default ? 'Not my default' : 'Make my default'}
        </Button>
        {isMine && (
          <Button variant="default" aria-label={`${shared ? 'Stop sharing' : 'Share'} ${name}`} onClick={() => void change.run({ shared: !shared })}>
            {shared ? 'Stop sharing' : 'Share'}
          </Button>
        )}
        {preset.can_change && (
          <>
            {!renaming && (
              <Button variant="default" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
                Rename
              </Button>
            )}
            <DeleteButton
              name={name}
              question={shared ? 'Delete it for everybody? Schedules made from it go on.' : 'Delete it? Schedules made from it go on.'}
              onDelete={() => void remove.run()}
            />
          </>
        )}
      </div>
    </li>
  );
};

/** The saved views of all reports. */
export const Component = () => {
  const brand = useBrand();
  const { state, retry } = usePresets();
  const presets = state.kind === 'loaded' ? state.data : [];
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Saved views
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading saved views" offline="Saved views need a connection." />
      {state.kind === 'loaded' && presets.length === 0 && (
        <EmptyState icon={<IconChart size={36} />} title="No saved views yet">
          Open a report, choose whom and what it shows, and press “Save this view”.
        </EmptyState>
      )}
      {reports.map((report) => {
        const some = presets.filter((p) => p.report_type === report.id);
        return (
          some.length > 0 && (
            <section key={report.id} className={layout.page} aria-label={report.title(brand)}>
              <Title order={2} size="h3">
                {report.title(brand)}
              </Title>
              <ul className={layout.list}>
                {some.map((preset) => (
                  <Row key={preset.id} preset={preset} onChanged={retry} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </div>
  );
};
