import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community';
import { complianceColourOf, type ComplianceStatus } from '#contract/rules/compliance-status.ts';
import { statusIn } from '#contract/matrix/sheet.ts';
import type { MatrixData, MatrixPerson } from '#src/features/matrix/grid/matrix-view.ts';

ModuleRegistry.registerModules([AllCommunityModule]);
const colours = { green: '#48bb78', amber: '#ffbf00', red: '#e53e3e', none: '' };

/** The same people and courses in AG Grid, of the same size, read from the same bytes. */
export const showAg = (root: HTMLElement, { sheet, people, courses }: MatrixData) => {
  root.style.height = 'calc(100vh - 260px)';
  const rows = new Map(people.map((person, row) => [person, row]));
  createGrid<MatrixPerson>(root, {
    rowData: [...people],
    rowHeight: 34,
    headerHeight: 140,
    suppressColumnVirtualisation: false,
    columnDefs: [
      { headerName: 'Name', field: 'name', pinned: 'left', width: 380 },
      ...courses.map((course, column) => ({
        colId: course.id,
        headerName: course.title,
        width: 44,
        valueGetter: ({ data }: { data: MatrixPerson | undefined }) =>
          data ? statusIn(sheet.states[(rows.get(data) as number) * sheet.columns + column] as number) : '',
        cellStyle: ({ value }: { value: ComplianceStatus }) => ({ backgroundColor: colours[complianceColourOf[value]], padding: '0' }),
      })),
    ],
  });
};
