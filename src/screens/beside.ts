import { createContext } from 'react';

/** Set in a list that stands beside the page of one of its rows: the address of that page. */
export const BesideDetail = createContext<string | null>(null);
