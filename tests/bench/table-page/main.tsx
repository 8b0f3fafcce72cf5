import '#src/ui/mantine-styles.ts';
import '#src/ui/global.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';

const names = ['Amara Okafor', 'Grace Adeyemi', 'Liam Murphy', 'Sophie Evans', 'Chidi Nowak', 'Ewa Khan', 'Rhys Davies', 'Fatima Begum'];
const jobs = ['Care assistant', 'Senior carer', 'Registered nurse', 'Cook', 'Domestic assistant'];
const rows = Array.from({ length: 10_000 }, (_, i) => ({
  id: String(i),
  name: `${names[i % 8]} ${i}`,
  job: jobs[i % 5] as string,
  place: `Service ${i % 90}`,
  started: `0${1 + (i % 9)}/11/2025`,
  overdue: i % 4,
}));
type Row = (typeof rows)[number];
const badge = (row: Row) => <span className="badge">{row.overdue} overdue</span>;
const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', value: (r) => r.name, sort: true },
  { id: 'job', header: 'Job role', value: (r) => r.job, sort: true },
  { id: 'place', header: 'Where they work', value: (r) => r.place, sort: true },
  { id: 'started', header: 'Started', value: (r) => r.started, sort: true },
  { id: 'overdue', header: 'Status', value: (r) => r.overdue, cell: badge },
];

/** The baseline without a library: every row in the page, with `content-visibility: auto`. */
const Plain = () => (
  <table style={{ width: '100%', borderSpacing: 0, tableLayout: 'fixed' }}>
    <thead style={{ position: 'sticky', top: 0, background: '#fff' }}>
      <tr>
        {columns.map((c) => (
          <th key={c.id}>{c.header}</th>
        ))}
      </tr>
    </thead>
    <tbody style={{ display: 'block' }}>
      {rows.map((row) => (
        <tr
          key={row.id}
          style={{
            ...{ display: 'grid', gridTemplateColumns: 'repeat(5, 1fr)', alignItems: 'center', minHeight: 60 },
            ...{ contentVisibility: 'auto', containIntrinsicSize: 'auto 60px', borderTop: '1px solid #dbe2e6' },
          }}
        >
          {columns.map((c) => (
            <td key={c.id}>{c.id === 'name' ? <a href={`#${row.id}`}>{row.name}</a> : c.cell ? c.cell(row) : c.value(row)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

createRoot(document.querySelector('#root') as HTMLElement).render(
  <MantineProvider>
    {location.search === '?plain' ? (
      <Plain />
    ) : (
      <MemoryRouter>
        <Table label="People" name="bench" columns={columns} rows={rows} to={(r) => `/users/${r.id}`} />
      </MemoryRouter>
    )}
  </MantineProvider>,
);
