import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { type BulkAction, BulkBar } from '#src/screens/table/bulk-bar.tsx';

type Row = { id: string; left: boolean };
const actions: readonly BulkAction<Row>[] = [
  { label: 'Book', most: 200, fits: (row) => !row.left, open: () => undefined },
  { label: 'Record', most: 500, open: () => undefined },
];
const buttons = (count: number, leavers = 0): string[] => {
  const rows = Array.from({ length: count }, (_, i) => ({ id: `p${i}`, left: i < leavers }));
  const bar = renderToStaticMarkup(
    <MantineProvider>
      <BulkBar rows={rows} nameOf={(row) => row.id} actions={actions} onClear={() => undefined} onDone={() => undefined} />
    </MantineProvider>,
  );
  return [...bar.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(([, attributes, inside]) => {
    const words = (inside ?? '').replace(/<[^>]*>/g, '');
    return / disabled=/.test(attributes ?? '') ? `(${words})` : words;
  });
};

it('offers what takes so many rows, and says how many an action takes that does not', () => {
  expect(buttons(200)).toEqual(['Book', 'Record', 'Clear selection']);
  expect(buttons(201)).toEqual(['(Book (at most 200))', 'Record', 'Clear selection']);
  // Those to whom it does not apply are not counted.
  expect(buttons(201, 1)).toEqual(['Book 200', 'Record', 'Clear selection']);
  expect(buttons(1000)).toEqual(['(Book (at most 200))', '(Record (at most 500))', 'Clear selection']);
});
