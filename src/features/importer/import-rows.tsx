import '@mantine/core/styles/Chip.css';
import { Button, Chip } from '@mantine/core';
import { useState } from 'react';
import type { PageMeta } from '#contract/api/paging.ts';
import { type Import, type ImportAction, importActions } from '#contract/entities/import.ts';
import { useCan } from '#src/access/use-can.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { actionWords } from '#src/features/importer/import-words.ts';
import classes from '#src/features/importer/importer.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { Badge } from '#src/ui/badge.tsx';

const perPage = 25;

/** The rows of an import by planned action, problems first. Changing `round` reloads them. */
export const ImportRows = ({ one, round, onResolved }: { one: Import; round: number; onResolved: () => void }) => {
  const shown = importActions.filter((action) => (one.counts[action] ?? 0) > 0);
  const [chosen, setChosen] = useState<ImportAction | null>(null);
  const action = chosen && shown.includes(chosen) ? chosen : shown.includes('refused') ? 'refused' : (shown[0] ?? 'same');
  const [page, setPage] = useState(1);
  const mayResolve = useCan('importer.resolve');
  const { state, retry } = useReadOf(
    ['rows of import', one.id, round, action, page],
    (signal) => call('GET /importer/imports/{id}/rows', { params: { id: one.id }, query: { action, page, per_page: perPage } }, { signal }),
    { keepShown: true },
  );
  const resolve = async (no: number) => {
    const result = await call('POST /importer/imports/{id}/rows/{no}/resolve', { params: { id: one.id, no: String(no) } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    retry();
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
        <div className={shapes.filters} role="radiogroup" aria-label="Rows to show">
          {shown.map((a) => (
            <Chip key={a} value={a} size="md" variant="light">
              {one.counts[a]} {actionWords[a][one.state === 'done' ? 1 : 0]}
            </Chip>
          ))}
        </div>
      </Chip.Group>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the rows" offline="The rows need a connection." order={2} />
      {state.kind === 'loaded' && (
        <>
          <ul className={layout.list}>
            {state.data.map((row) => (
              <li key={row.no} className={`app-card ${layout.stack} ${layout.tight} ${classes.row}`}>
                <span className={layout.between}>
                  <strong>{row.name}</strong>
                  <small>Row {row.no}</small>
                </span>
                <small>{row.cells.filter(Boolean).join(' · ')}</small>
                {row.problems.length > 0 && (
                  <ul className={`${layout.plain} ${layout.stack} ${classes.problems}`}>
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
                  <span className={layout.between}>
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
          <Pages last={(state.meta as PageMeta).last_page} page={page} onGoTo={setPage} />
        </>
      )}
    </>
  );
};
