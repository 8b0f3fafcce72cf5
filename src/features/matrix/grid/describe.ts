import { cellAt, isOfKind } from '#contract/matrix/sheet.ts';
import { headLine, nameColumn, type Place, selectColumn, totalColumn, totalsLine } from '#src/features/matrix/grid/geometry.ts';
import { type Arrangement, type MatrixData, type MatrixView, percentage } from '#src/features/matrix/grid/matrix-view.ts';
import { cellParts, type KindWords, shareWords } from '#contract/matrix/words.ts';
import { countOf } from '#src/lib/format.ts';

type Shown = { data: MatrixData; arrangement: Arrangement; kinds: KindWords; view: Pick<MatrixView, 'kind'> };

const share = (inDate = 0, required = 0) => shareWords(percentage(inDate, required), inDate, required);

/** A person's status in a course: a requirement of another kind than the chosen one counts as not required. */
const statusParts = ({ data: { sheet, loaded }, kinds, view }: Shown, row: number, column: number): string[] => {
  if (loaded[row] !== 1) return ['loading'];
  const byte = sheet.states[row * sheet.columns + column] ?? 0;
  return isOfKind(byte, view.kind) ? cellParts(cellAt(sheet, row, column), kinds) : ['not required'];
};

/** What a position is about, in words: whom or what, then the rest, each in words of its own. Empty if there is nothing. */
export const partsOf = (shown: Shown, { line, column }: Place): string[] => {
  const { data, arrangement: a } = shown;
  const sheetColumn = column < 0 ? 0 : (a.columns[column] ?? 0);
  const title = column < 0 ? '' : (data.courses[sheetColumn]?.title ?? '');
  if (line === headLine) return [{ [selectColumn]: 'Select all that are shown', [nameColumn]: 'Name', [totalColumn]: 'In date' }[column] ?? title];
  if (line === totalsLine) {
    if (column === selectColumn || column === nameColumn) return ['All', countOf(a.rows.length, 'person', 'people')];
    if (column === totalColumn) return ['All', share(a.inDate, a.required)];
    return [title, share(a.columnInDate[sheetColumn], a.columnRequired[sheetColumn])];
  }
  const entry = a.lines[line] ?? 0;
  if (entry < 0) {
    const group = a.groups[~entry];
    if (!group) return [];
    if (column === selectColumn) return [`Select all of ${group.name}`, countOf(group.people, 'person', 'people')];
    if (column === nameColumn) return [group.name, countOf(group.people, 'person', 'people')];
    if (column === totalColumn) return [group.name, share(group.inDate, group.required)];
    const cell = ~entry * data.sheet.columns + sheetColumn;
    return [group.name, title, share(a.groupInDate[cell], a.groupRequired[cell])];
  }
  const person = data.people[entry];
  if (!person) return [];
  if (column === selectColumn) return [`Select ${person.name}`];
  if (column === nameColumn) return [person.name, person.role, person.place].filter(Boolean);
  if (column === totalColumn) return [person.name, data.loaded[entry] === 1 ? share(a.rowInDate[entry], a.rowRequired[entry]) : 'loading'];
  return [person.name, title, ...statusParts(shown, entry, sheetColumn)];
};

/** The full text of a position, for screen readers and the line below the grid. */
export const describe = (shown: Shown, place: Place): string => partsOf(shown, place).join(', ');
