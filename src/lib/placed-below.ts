import { useEffect } from 'react';
import { observable } from '#src/lib/observable.ts';

type Place = { path: string; name: string };
const places = observable<ReadonlyMap<string, Place>>(new Map());
/** The page above another, by the path of that other, where only what it shows says which. */
export const placesAbove = { get: places.get, subscribe: places.subscribe };

/** Says below which page this one belongs, and what that page is called. */
export const usePlaceBelow = (page: string, { path, name }: Place) =>
  useEffect(() => places.set(new Map([...places.get(), [page, { path, name }]])), [page, path, name]);
