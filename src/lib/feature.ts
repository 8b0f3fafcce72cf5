import type { ComponentType } from 'react';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { RouteId } from '#contract/site-map.ts';

/** A feature's pages by site-map id, each loaded when opened. */
export type Page = () => Promise<{ Component: ComponentType }>;
/** Runs before a page is shown, with its URL parameters; the page reads the result with `useLoaderData`. */
export type BeforeEntering = (params: Partial<Record<string, string>>) => Promise<unknown>;
/** The title of a page in navigation, breadcrumbs and window; or a function of the organisation's terms and the address. */
export type Title = string | ((brand: Whitelabel, path: string) => string);
/** The groups of an office's navigation, to which a feature adds its pages. */
export type NavGroupName = 'Learning' | 'Ordering' | 'Training records' | 'Dashboards' | 'Reports';
export type Feature = {
  pages: Partial<Record<RouteId, Page>>;
  titles?: Partial<Record<RouteId, Title>>;
  /** Its pages in a navigation group. */
  inGroup?: Partial<Record<NavGroupName, readonly RouteId[]>>;
  /** Lists that are shown beside their detail pages if the screen has room. */
  lists?: readonly RouteId[];
  before?: Partial<Record<RouteId, BeforeEntering>>;
};
