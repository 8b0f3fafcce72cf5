import type { ComponentType } from 'react';
import type { RouteId } from '#contract/site-map.ts';

/** What a feature shows to the app: its pages by site-map id, each loaded when it is opened. */
export type Page = () => Promise<{ Component: ComponentType }>;
/** What is done before a page is entered, with the parameters of its address; the page has the answer from `useLoaderData`. */
export type BeforeEntering = (params: Partial<Record<string, string>>) => Promise<unknown>;
export type Feature = {
  pages: Partial<Record<RouteId, Page>>;
  before?: Partial<Record<RouteId, BeforeEntering>>;
};
