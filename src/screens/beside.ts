import { createContext } from 'react';

/** Set for a list shown beside a detail page: the address of that page. */
export const BesideDetail = createContext<string | null>(null);
