import type { ComponentType } from 'react';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Need } from '#contract/can.ts';
import type { RouteId } from '#contract/site-map.ts';

/** What a feature shows to the app: its pages by site-map id, each loaded when it is opened, and its place in the navigation. */
export type Page = () => Promise<{ Component: ComponentType }>;
/** By name: the sign-in page knows the navigation, and draws none of it. */
export type NavIcon = 'book' | 'building' | 'certificate' | 'home' | 'mail' | 'pathway' | 'people' | 'register' | 'tablet';
export type NavItem = { route: RouteId; label: string | ((brand: Whitelabel) => string); icon: NavIcon; need?: Need };
export type Feature = { pages: Partial<Record<RouteId, Page>>; nav?: readonly NavItem[] };
