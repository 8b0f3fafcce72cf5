import { type Import, type ImportAction, type ImportKind, importKindNames, importKinds } from '#contract/entities/import.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';

/** The name of each kind, in the organisation's terms. */
export const kindName = (kind: ImportKind, brand: Pick<Whitelabel, 'entitiesAltName'>): string =>
  ({ people: 'People', organisations: brand.entitiesAltName, roles: 'Job roles', courses: 'Courses', training: 'Past training' })[kind];

/** The kinds a person may import: those they may both add and change. */
export const bringableKinds = (user: AuthUser | null): ImportKind[] =>
  importKindNames.filter((kind) => can(user, [importKinds[kind].add]) && can(user, [importKinds[kind].change]));

/** Labels before and after the import. */
export const actionWords: Record<ImportAction, [string, string]> = {
  create: ['to add', 'added'],
  update: ['to change', 'changed'],
  deactivate: ['to deactivate', 'deactivated'],
  restore: ['to reactivate', 'restored'],
  same: ['unchanged', 'unchanged'],
  skip: ['nothing to do', 'nothing to do'],
  refused: ['with problems', 'refused'],
};
export const stateWords: Record<Import['state'], string> = { planned: 'Not started', running: 'Running', stopped: 'Stopped', done: 'Done' };
export const stateTone: Record<Import['state'], 'ok' | 'warning'> = { planned: 'warning', running: 'warning', stopped: 'warning', done: 'ok' };

/** The rows that change something. */
export const rowsThatChange = (counts: Import['counts']): number =>
  (['create', 'update', 'deactivate', 'restore'] as const).reduce((sum, action) => sum + (counts[action] ?? 0), 0);

/** The uploader, and the person who ran it if different. */
export const namesOf = ({ actor, run_by }: Import): string =>
  run_by && run_by.id !== actor.id ? `${actor.name}, run by ${run_by.name}` : actor.name;
