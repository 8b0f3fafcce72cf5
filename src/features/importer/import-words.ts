import { type Import, type ImportAction, type ImportKind, importKindNames, importKinds } from '#contract/entities/import.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';

/** What each kind is called, in the organisation's words. */
export const kindName = (kind: ImportKind, brand: Pick<Whitelabel, 'entitiesAltName'>): string =>
  ({ people: 'People', organisations: brand.entitiesAltName, roles: 'Job roles', courses: 'Courses', training: 'Past training' })[kind];

/** What somebody may bring: whoever may both add it and change it. */
export const bringableKinds = (user: AuthUser | null): ImportKind[] =>
  importKindNames.filter((kind) => can(user, [importKinds[kind].add]) && can(user, [importKinds[kind].change]));

/** Before it is done, and afterwards. */
export const actionWords: Record<ImportAction, [string, string]> = {
  create: ['to add', 'added'],
  update: ['to change', 'changed'],
  deactivate: ['to deactivate', 'deactivated'],
  restore: ['to restore', 'restored'],
  same: ['as they are', 'as they were'],
  skip: ['nothing to do', 'nothing to do'],
  refused: ['with problems', 'refused'],
};
export const stateWords: Record<Import['state'], string> = { planned: 'Not begun', running: 'Running', stopped: 'Stopped', done: 'Done' };
export const stateTone: Record<Import['state'], 'ok' | 'warning'> = { planned: 'warning', running: 'warning', stopped: 'warning', done: 'ok' };

/** The rows that change something. */
export const rowsThatChange = (counts: Import['counts']): number =>
  (['create', 'update', 'deactivate', 'restore'] as const).reduce((sum, action) => sum + (counts[action] ?? 0), 0);

/** Who uploaded it, and who ran it where that was somebody else. */
export const namesOf = ({ actor, run_by }: Import): string =>
  run_by && run_by.id !== actor.id ? `${actor.name}, run by ${run_by.name}` : actor.name;
