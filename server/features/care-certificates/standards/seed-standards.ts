import { currentStandards, type CareStandards, type Criterion } from '#contract/entities/care-standards.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { activities2025, england2025 } from '#server/features/care-certificates/standards/england-2025.ts';

/** Parses standards as written in this folder; throws if a line is not understood or an activity names an unknown criterion. */
export const readStandards = (
  head: Pick<CareStandards, 'id' | 'name' | 'valid_from'>,
  text: string,
  activities: readonly { id: string; title: string; criteria: string }[],
): CareStandards => {
  const standards: CareStandards['standards'] = [];
  const known = new Map<string, Criterion>();
  for (const line of text.trim().split('\n')) {
    const [code = '', ...words] = line.split(' ');
    if (/^\d+$/.test(code)) standards.push({ code, title: words.join(' '), outcomes: [] });
    else if (/^\d+\.\d+$/.test(code)) standards.at(-1)?.outcomes.push({ code, title: words.join(' '), criteria: [] });
    else {
      const [kind = '', ...rest] = words;
      const outcome = standards.at(-1)?.outcomes.at(-1);
      if (!/^\d+\.\d+[a-z]+$/.test(code) || !/^[kps]$/.test(kind) || !outcome || !code.startsWith(outcome.code) || known.has(code))
        throw new Error(`standards ${head.id}: cannot read “${line}”`);
      const criterion: Criterion = { code, text: rest.join(' '), kind: kind === 'k' ? 'knowledge' : 'practice', simulation: kind === 's' };
      known.set(code, criterion);
      outcome.criteria.push(criterion);
    }
  }
  return {
    ...head,
    standards,
    activities: activities.map(({ criteria, ...a }) => ({
      ...a,
      criteria: criteria.split(' ').map((code) => {
        if (!known.has(code)) throw new Error(`standards ${head.id}: activity ${a.id} names ${code}`);
        return code;
      }),
    })),
  };
};

export const careStandards2025 = readStandards(
  { id: currentStandards, name: 'Care Certificate standards, England, March 2025', valid_from: '2025-03-01' },
  england2025,
  activities2025,
);

/** Stores the versions that this server has and the database does not. A stored version is never changed. */
export const seedStandards = async (db: Db): Promise<void> => {
  for (const { id, name, valid_from, ...document } of [careStandards2025])
    await db.run(
      sql`insert into care_standards (id, name, valid_from, document) values (${id}, ${name}, ${valid_from}, ${JSON.stringify(document)}) on conflict do nothing`,
    );
};
