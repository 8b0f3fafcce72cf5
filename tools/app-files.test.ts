import { expect, test } from 'vitest';
import { missingImports } from '#tools/app-files.ts';

test('a stored file that imports one that is not stored is found; pages of authors need a connection anyway', () => {
  const texts = new Map([
    ['/assets/app-1.js', 'import{a}from"./frame-1.js";const later=()=>import("./editor-1.js");'],
    ['/assets/frame-1.js', 'export const a=1;'],
    ['/assets/authoring-1.js', 'import{b}from"./editor-1.js";'],
  ]);
  expect(missingImports(texts)).toEqual([]);
  expect(missingImports(new Map([...texts, ['/assets/office-1.js', 'import"./frame-1.js";import{b as c}from`./editor-1.js`;']]))).toEqual([
    '/assets/office-1.js: editor-1.js',
  ]);
});
