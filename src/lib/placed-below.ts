import { useEffect } from 'react';
import { observable } from '#src/lib/observable.ts';

type Place = { path: string; name: string };
const places = observable<ReadonlyMap<string, Place>>(new Map());
/** The parent of a page, by path, if only the page's content determines it. */
export const placesAbove = { get: places.get, subscribe: places.subscribe };

/** Sets the parent of this page and the parent's title. */
export const usePlaceBelow = (page: string, { path, name }: Place) =>
  useEffect(() => places.set(new Map([...places.get(), [page, { path, name }]])), [page, path, name]);
