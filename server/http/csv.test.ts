import { expect, it } from 'vitest';
import { csvOf } from '#server/http/csv.ts';

it('writes tables that spreadsheets read as text, whatever somebody is called', () => {
  expect(
    csvOf([
      ['Name', 'n'],
      ['O’Brien, "Mo"', 3],
      ['=1+1', 0],
      ['-5', 1],
    ]).toString(),
  ).toBe('\uFEFF"Name","n"\r\n"O’Brien, ""Mo""",3\r\n"\'=1+1",0\r\n"\'-5",1\r\n');
});
