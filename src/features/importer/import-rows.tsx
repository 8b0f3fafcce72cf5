import '@mantine/core/styles/Chip.css';
import { Button, Chip } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { PageMeta } from '#contract/api/paging.ts';
import { type Import, type ImportAction, type ImportRow, importActions } from '#contract/entities/import.ts';
import { useCan } from '#src/access/use-can.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { actionWords } from '#src/features/importer/import-words.ts';
import classes from '#src/features/importer/importer.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { ErrorState, LoadingState } from '#src/ui/states.tsx';
import { Badge } from '#src/ui/badge.tsx';

const perPage = 25;
type State = { rows: ImportRow[]; meta: PageMeta } | 'loading' | 'error';

/** The rows of an import by planned action, problems first. Changing `round` reloads them. */
export const ImportRows = ({ one, round, onResolved }: { one: Import; round: number; onResolved: () => void }) => {
  const shown = importActions.filter((action) => (one.counts[action] ?? 0) > 0);
  const [chosen, setChosen] = useState<ImportAction | null>(null);
  const action = chosen && shown.includes(chosen) ? chosen : shown.includes('refused') ? 'refused' : (shown[0] ?? 'same');
  const [page, setPage] = useState(1);
  const [state, setState] = useState<State>('loading');
  const mayResolve = useCan('importer.resolve');
  const load = useCallback(() => {
    void call('GET /importer/imports/{id}/rows', { params: { id: one.id }, query: { action, page, per_page: perPage } }).then((result) =>
      setState(result.kind === 'ok' ? { rows: result.data, meta: result.meta as PageMeta } : 'error'),
    );
  }, [one.id, action, page]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changing `round` reloads
  useEffect(load, [load, round]);
  const resolve = async (no: number) => {
    const result = await call('POST /importer/imports/{id}/rows/{no}/resolve', { params: { id: one.id, no: String(no) } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    load();
    onResolved();
  };
  return (
    <>
      <Chip.Group
        value={action}
        onChange={(to) => {
          setChosen(to as ImportAction);
          setPage(1);
        }}
      >
        <div className={layout.filters} role="radiogroup" aria-label="Rows to show">
          {shown.map((a) => (
            <Chip key={a} value={a} size="md" variant="light">
              {one.counts[a]} {actionWords[a][one.state === 'done' ? 1 : 0]}
            </Chip>
          ))}
        </div>
      </Chip.Group>
      {state === 'loading' && <LoadingState label="Loading the rows" />}
      {state === 'error' && <ErrorState message="The rows could not be loaded." onRetry={load} />}
      {typeof state === 'object' && (
        <>
          <ul className={layout.list}>
            {state.rows.map((row) => (
              <li key={row.no} className={`app-card ${classes.row}`}>
                <span className={classes.line}>
                  <strong>{row.name}</strong>
                  <small>Row {row.no}</small>
                </span>
                <small>{row.cells.filter(Boolean).join(' · ')}</small>
                {row.problems.length > 0 && (
                  <ul className={classes.problems}>
                    {row.problems.map((p) => (
                      <li key={`${p.column}:${p.problem}`}>
                        <p>
                          {p.column && <strong>{p.column}: </strong>}
                          {p.problem}
                        </p>
                        <p>{p.remedy}</p>
                      </li>
                    ))}
                  </ul>
                )}
                {row.action === 'refused' && one.state === 'done' && (
                  <span className={classes.line}>
                    {row.resolved_at ? (
                      <Badge tone="ok">Resolved</Badge>
                    ) : (
                      mayResolve && (
                        <Button variant="default" onClick={() => void resolve(row.no)} aria-label={`Row ${row.no} is resolved`}>
                          Resolved
                        </Button>
                      )
                    )}
                  </span>
                )}
              </li>
            ))}
          </ul>
          <Pages last={state.meta.last_page} page={page} onGoTo={setPage} />
        </>
      )}
    </>
  );
};
