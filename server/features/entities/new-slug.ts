import { type Db, sql } from '#server/db/sql.ts';

/** The part of an address that stands for an organisation, made of its name, that no other has. It never changes. */
export const newSlug = async (tx: Db, name: string, id: string): Promise<string> => {
  const base =
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 50) || 'organisation';
  const used = await tx.one(sql`select 1 as used from entity_names where slug = ${base}`);
  return used || reserved.has(base) ? `${base}-${id.slice(0, 6)}` : base;
};
/** Words that stand in the same place of an address. */
const reserved = new Set(['create', 'organisation']);
