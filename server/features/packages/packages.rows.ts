import type { FastifyRequest } from 'fastify';
import type { CoursePackage } from '#contract/entities/package.ts';
import type { PackageTree } from '#contract/entities/package-tree.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { noteChange } from '#server/note-change.ts';
import { libraryName } from '#server/features/packages/h5p-package.ts';
import { readTree } from '#server/features/packages/package-trees.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { Actor } from '#server/actor.ts';

const columns = sql`id, tree, bytes, files, manifest, warnings, created_at`;
/** A package belongs to the organisation of the person who uploaded it. */
const isOwn = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`entity_id = ${actor.place.id}`);

export const packageById = (db: Db, actor: Actor, id: string): Promise<CoursePackage | undefined> =>
  db.one<CoursePackage>(sql`select ${columns} from packages where id = ${id} and ${isOwn(actor)}`);

type Installed = { name: string; major: number; minor: number; patch: number; path: string; tree: string };
const nameOf = (l: Installed) => libraryName({ machineName: l.name, majorVersion: l.major, minorVersion: l.minor });

/** The libraries of an organisation, by display name. */
export const installedLibraries = async (db: Db, entityId: string): Promise<Map<string, Installed>> =>
  new Map(
    (
      await db.all<Installed>(
        sql`select l.name, l.major, l.minor, l.patch, l.path, p.tree from h5p_libraries l join packages p on p.id = l.package_id where l.entity_id = ${entityId}`,
      )
    ).map((l) => [nameOf(l), l]),
  );

type Definition = { preloadedDependencies?: Dependency[]; dynamicDependencies?: Dependency[] };
type Dependency = { machineName: string; majorVersion: number; minorVersion: number };

/** The files of these libraries and their transitive dependencies, from the packages that contain them. */
export const borrowLibraries = async (
  store: FileStore,
  installed: ReadonlyMap<string, Installed>,
  hashes: readonly string[],
): Promise<PackageTree['files']> => {
  const files: PackageTree['files'] = {};
  const visited = new Set<string>();
  const queue = [...hashes];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const library = installed.get(name);
    if (!library || visited.has(name)) continue;
    visited.add(name);
    const tree = await readTree(store, library.tree);
    for (const [path, file] of Object.entries(tree?.files ?? {})) if (path.startsWith(`${library.path}/`)) files[path] = file;
    const [hash] = tree?.files[`${library.path}/library.json`] ?? [];
    const definition = JSON.parse((hash ? await store.get(hash) : null)?.toString() ?? '{}') as Definition;
    queue.push(...[...(definition.preloadedDependencies ?? []), ...(definition.dynamicDependencies ?? [])].map(libraryName));
  }
  return files;
};

/** Saves an unpacked package, and the libraries it provides to the organisation. */
export const notePackage = async (
  tx: Db,
  { actor, request }: { actor: Actor; request: Pick<FastifyRequest, 'ip'> },
  { id, tree, bytes, files, manifest, warnings, created_at }: CoursePackage,
): Promise<void> => {
  const entityId = actor.place.id;
  const now = new Date(created_at);
  await tx.run(sql`insert into packages (id, tree, kind, manifest, warnings, bytes, files, entity_id, created_by, created_at)
    values (${id}, ${tree}, ${manifest.kind}, ${JSON.stringify(manifest)}, ${JSON.stringify(warnings)}, ${bytes}, ${files}, ${entityId}, ${actor.user.uuid}, ${now})`);
  if (manifest.kind === 'h5p')
    await tx.run(sql`insert into h5p_libraries (entity_id, name, major, minor, patch, package_id, path)
      select ${entityId}, r.name, r.major, r.minor, r.patch, ${id}, r.path
      from jsonb_to_recordset(${JSON.stringify(manifest.libraries)}::jsonb) as r (name text, major integer, minor integer, patch integer, path text)
      on conflict (entity_id, name, major, minor) do update set patch = excluded.patch, package_id = excluded.package_id, path = excluded.path
      where excluded.patch > h5p_libraries.patch`);
  const after = { kind: manifest.kind, tree, files, bytes };
  await noteChange(tx, { actor, request }, now, { entityId, action: 'created', subject: { kind: 'package', id, name: manifest.title }, after });
};
