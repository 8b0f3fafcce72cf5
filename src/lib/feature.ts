import type { ComponentType } from 'react';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Need } from '#contract/can.ts';
import type { RouteId } from '#contract/site-map.ts';

/** What a feature shows to the app: its pages by site-map id, each loaded when it is opened, and its place in the navigation. */
export type Page = () => Promise<{ Component: ComponentType }>;
/** By name: the sign-in page knows the navigation, and draws none of it. */
export type NavIcon = 'book' | 'building' | 'certificate' | 'home' | 'mail' | 'pathway' | 'people' | 'register' | 'tablet';
export type NavItem = { route: RouteId; label: string | ((brand: Whitelabel) => string); icon: NavIcon; need?: Need };
/** What is done before a page is entered, with the parameters of its address; the page has the answer from `useLoaderData`. */
export type BeforeEntering = (params: Partial<Record<string, string>>) => Promise<unknown>;
export type Feature = {
  pages: Partial<Record<RouteId, Page>>;
  before?: Partial<Record<RouteId, BeforeEntering>>;
  nav?: readonly NavItem[];
};
