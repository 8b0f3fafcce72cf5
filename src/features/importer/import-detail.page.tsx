import '@mantine/core/styles/Combobox.css';
import { Button, Checkbox, Progress, Select, Title } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { fieldsOf, type Import, type ImportMapping, importKinds } from '#contract/entities/import.ts';
import { can } from '#contract/can.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { ImportRows } from '#src/features/importer/import-rows.tsx';
import { actionWords, kindName, namesOf, stateTone, stateWords, rowsThatChange } from '#src/features/importer/import-words.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { useRead } from '#src/screens/use-read.ts';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { MailWaits } from '#src/screens/mail-waits.tsx';

const pollMs = 1000;

/** The column mapping. Each change is planned immediately, so the preview is always current. */
const Mapping = ({ one, onPlanned }: { one: Import; onPlanned: (one: Import) => void }) => {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const plan = async (mapping: ImportMapping, options: Import['options']) => {
    setBusy(true);
    const result = await call('PATCH /importer/imports/{id}', { params: { id: one.id }, body: { mapping, ...options } });
    setBusy(false);
    setProblem(result.kind === 'ok' ? null : sentenceOf(result));
    if (result.kind === 'ok') onPlanned(result.data);
  };
  const choose = (field: string, column: string | null) => {
    const { [field]: _before, ...others } = one.mapping;
    void plan(column === null ? others : { ...others, [field]: Number(column) }, one.options);
  };
  const used = new Set(Object.values(one.mapping));
  const unused = one.columns.filter((_name, i) => !used.has(i));
  return (
    <section className={`app-card ${form.group}`} aria-label="Columns">
      <Title order={2} size="h3">
        Column mapping
      </Title>
      {problem && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {problem}
        </p>
      )}
      <div className={shapes.tiles}>
        {Object.entries(fieldsOf(one.kind)).map(([field, { label, hint, required, or }]) => (
          <Select
            key={field}
            label={label}
            withAsterisk={required === true && !or?.every((f) => one.mapping[f] !== undefined)}
            description={hint}
            placeholder="No column"
            clearable
            clearButtonProps={{ 'aria-label': `${label}: no column` }}
            disabled={busy}
            data={one.columns.map((name, i) => ({ value: String(i), label: name }))}
            value={one.mapping[field] === undefined ? null : String(one.mapping[field])}
            onChange={(column) => choose(field, column)}
          />
        ))}
      </div>
      {unused.length > 0 && <p className={layout.count}>Not imported: {unused.join(', ')}.</p>}
      <Checkbox
        label="Update existing records"
        description="If off, only new records are added."
        disabled={busy}
        checked={one.options.update_existing}
        onChange={(e) => void plan(one.mapping, { ...one.options, update_existing: e.currentTarget.checked })}
      />
      {one.kind === 'people' && (
        <>
          <Checkbox
            label="Send welcome e-mails to new people"
            description="With a link to choose a password. They can also be sent later."
            disabled={busy}
            checked={one.options.send_welcome_email}
            onChange={(e) => void plan(one.mapping, { ...one.options, send_welcome_email: e.currentTarget.checked })}
          />
          <MailWaits links />
        </>
      )}
    </section>
  );
};

const Whole = ({ first, reload }: { first: Import; reload: () => void }) => {
  const user = useSession();
  const brand = useBrand();
  const [one, setOne] = useState(first);
  const [round, setRound] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const { add, change } = importKinds[one.kind];
  const may = can(user, [add]) && can(user, [change]);
  const show = (next: Import) => {
    setOne(next);
    setRound((n) => n + 1);
  };
  const fetchAnew = useCallback(async () => {
    const result = await call('GET /importer/imports/{id}', { params: { id: first.id } }, { quiet: true });
    if (result.kind === 'ok') {
      setOne(result.data);
      if (result.data.state !== 'running') setRound((n) => n + 1);
    }
  }, [first.id]);
  useEffect(() => {
    if (one.state !== 'running') return;
    const timer = setInterval(() => void fetchAnew(), pollMs);
    return () => clearInterval(timer);
  }, [one.state, fetchAnew]);
  const act = async (what: 'run' | 'stop') => {
    const result = await call(what === 'run' ? 'POST /importer/imports/{id}/run' : 'POST /importer/imports/{id}/stop', { params: { id: one.id } });
    setProblem(result.kind === 'ok' ? null : sentenceOf(result));
    if (result.kind === 'ok') show(result.data);
    else reload();
  };
  const changes = rowsThatChange(one.counts);
  const refused = one.counts.refused ?? 0;
  return (
    <DetailPage
      title={one.file_name}
      badge={
        <Badge tone={stateTone[one.state]} role="status">
          {stateWords[one.state]}
        </Badge>
      }
      about={[kindName(one.kind, brand), one.entity.name, one.format, countOf(one.total, 'row'), namesOf(one), formatMoment(one.created_at)]}
    >
      {problem && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {problem}
        </p>
      )}
      {one.state === 'planned' && may && <Mapping one={one} onPlanned={show} />}
      {(one.state === 'planned' || one.state === 'stopped') && may && (
        <div className={layout.tools}>
          <Button disabled={changes === 0} onClick={() => void act('run')}>
            {one.state === 'stopped' ? 'Continue' : changes === 0 ? 'Nothing to import' : `Import ${countOf(changes, 'row')}`}
          </Button>
          {refused > 0 && <span className={layout.count}>{countOf(refused, 'row')} with problems will be left out.</span>}
        </div>
      )}
      {one.state === 'running' && (
        <section className={`app-card ${layout.block}`} aria-label="Progress">
          <Progress value={(100 * one.done) / Math.max(1, one.total - refused)} aria-label={`${one.done} of ${one.total - refused} rows imported`} />
          <p className={layout.count} role="status">
            {one.done} of {one.total - refused} rows imported. You can leave this page; the import continues.
          </p>
          {may && (
            <div className={layout.tools}>
              <Button variant="default" onClick={() => void act('stop')}>
                Stop
              </Button>
            </div>
          )}
        </section>
      )}
      {one.state === 'done' && (
        <p className={layout.notice} data-tone={one.unresolved > 0 ? 'warning' : 'ok'} role="status">
          {Object.entries(one.counts)
            .map(([action, n]) => `${n} ${actionWords[action as keyof typeof actionWords][1]}`)
            .join(', ')}
          .{one.unresolved > 0 ? ` ${countOf(one.unresolved, 'row')} still to resolve.` : ''}
        </p>
      )}
      {one.state !== 'running' && <ImportRows one={one} round={round} onResolved={() => void fetchAnew()} />}
    </DetailPage>
  );
};

/** An import: its plan, progress and results. */
export const Component = () => {
  const { id = '' } = useParams();
  const { state, retry } = useRead('GET /importer/imports/{id}', { params: { id } });
  return (
    <>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the import" offline="Imports need a connection." order={1} />
      {state.kind === 'loaded' && <Whole key={state.data.id} first={state.data} reload={retry} />}
    </>
  );
};
