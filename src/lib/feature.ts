import type { ComponentType } from 'react';
import type { RouteId } from '#contract/site-map.ts';

/** A feature's pages by site-map id, each loaded when opened. */
export type Page = () => Promise<{ Component: ComponentType }>;
/** Runs before a page is shown, with its URL parameters; the page reads the result with `useLoaderData`. */
export type BeforeEntering = (params: Partial<Record<string, string>>) => Promise<unknown>;
export type Feature = {
  pages: Partial<Record<RouteId, Page>>;
  /** Lists that stand beside the page of one of theirs, where the screen has room. */
  lists?: readonly RouteId[];
  before?: Partial<Record<RouteId, BeforeEntering>>;
};
