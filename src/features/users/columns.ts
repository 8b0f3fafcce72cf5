import { useSyncExternalStore } from 'react';
import type { UserRow } from '#contract/entities/user.ts';
import { formatDay } from '#src/lib/format.ts';
import { storedValue } from '#src/lib/stored-value.ts';

/** What can be seen of each person in the list, beside the name and how they stand. */
export const peopleColumns = [
  { id: 'role', name: 'Job role' },
  { id: 'place', name: 'Where they work' },
  { id: 'type', name: 'User type' },
  { id: 'email', name: 'E-mail address' },
  { id: 'started', name: 'Started on' },
] as const;
export type PeopleColumn = (typeof peopleColumns)[number]['id'];

const first: readonly PeopleColumn[] = ['role', 'place'];
/** What was chosen on this device. */
export const columnsShown = storedValue<readonly PeopleColumn[]>('people-columns');
export const useColumns = (): readonly PeopleColumn[] => useSyncExternalStore(columnsShown.subscribe, columnsShown.get) ?? first;

export const columnOf: Record<PeopleColumn, (user: UserRow) => string> = {
  role: (u) => [u.role, ...u.more_roles].flatMap((r) => r?.name ?? []).join(', '),
  place: (u) => u.primary_entity.name,
  type: (u) => u.type?.name ?? '',
  email: (u) => u.email,
  started: (u) => `since ${formatDay(u.started_on)}`,
};
