import type { ComponentType } from 'react';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Need } from '#contract/permissions.ts';
import type { RouteId } from '#contract/site-map.ts';

/** What a feature shows to the app: its pages by site-map id, each loaded when it is opened, and its place in the navigation. */
export type Page = () => Promise<{ Component: ComponentType }>;
export type NavItem = { route: RouteId; label: string | ((brand: Whitelabel) => string); icon: ComponentType<{ size?: number }>; need?: Need };
export type Feature = { pages: Partial<Record<RouteId, Page>>; nav?: readonly NavItem[] };
