import { AllCommunityModule, createGrid, type GridOptions, ModuleRegistry } from 'ag-grid-community';
import { complianceColourOf, type ComplianceStatus } from '#contract/rules/compliance-status.ts';
import { statusIn } from '#contract/matrix/sheet.ts';
import type { MatrixData, MatrixPerson } from '#src/features/matrix/grid/matrix-view.ts';

ModuleRegistry.registerModules([AllCommunityModule]);
const colours = { green: '#48bb78', amber: '#ffbf00', red: '#e53e3e', none: '' };

type Row = MatrixPerson & { row: number };
const optionsOf = ({ sheet, courses }: Pick<MatrixData, 'sheet' | 'courses'>): GridOptions<Row> => ({
  rowHeight: 34,
  headerHeight: 140,
  suppressColumnVirtualisation: false,
  columnDefs: [
    { headerName: 'Name', field: 'name', pinned: 'left', width: 380 },
    ...courses.map((course, column) => ({
      colId: course.id,
      headerName: course.title,
      width: 44,
      valueGetter: ({ data }: { data: Row | undefined }) => (data ? statusIn(sheet.states[data.row * sheet.columns + column] as number) : ''),
      cellStyle: ({ value }: { value: ComplianceStatus }) => ({ backgroundColor: colours[complianceColourOf[value]], padding: '0' }),
    })),
  ],
});

/** The same people and courses in AG Grid, of the same size, read from the same bytes: made when the data is there, or made empty and given it. */
export const agOf = (root: HTMLElement, data: MatrixData, isMadeEmpty: boolean): (() => void) => {
  root.style.height = 'calc(100vh - 260px)';
  const rowData = data.people.map((person, row) => ({ ...person, row }));
  if (!isMadeEmpty) return () => createGrid<Row>(root, { ...optionsOf(data), rowData });
  const grid = createGrid<Row>(root, optionsOf(data));
  return () => grid.setGridOption('rowData', rowData);
};
