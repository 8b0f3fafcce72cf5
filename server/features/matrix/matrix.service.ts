import { randomUUID } from 'node:crypto';
import { MatrixFilter } from '#contract/matrix/filter.ts';
import {
  type MatrixAggregate,
  type MatrixChosen,
  type MatrixJsonCell,
  matrixLimits,
  matrixSocketPath,
  type MatrixUser,
} from '#contract/matrix/messages.ts';
import { addScores, emptyScore, scoreOf, scoresOf } from '#contract/matrix/scores.ts';
import { cellAt, cellTypes, dayOfNumber, type MatrixSheet } from '#contract/matrix/sheet.ts';
import { plainFilter } from '#contract/reports/filter.ts';
import { protocol } from '#contract/protocol.ts';
import type { Actor } from '#server/actor.ts';
import { existing } from '#server/db/rows.ts';
import { often, sql } from '#server/db/sql.ts';
import { type Cells, cellsOf } from '#server/features/matrix/cells.rows.ts';
import { headOf, isStarter, type MatrixHead, tagNamesOf } from '#server/features/matrix/head.rows.ts';
import { namesIn } from '#server/features/reports/selection.rows.ts';
import { latestIdsOf } from '#server/features/results/results.rows.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { read } from '#server/validation.ts';

/** Rows computed at once: other requests are served in between. */
export const rowsAtOnce = 250;

export type Aggregates = { top: MatrixAggregate; all: MatrixAggregate[] };
/** An open matrix: as it is for this person at this moment. */
export type OpenMatrix = {
  head: MatrixHead;
  chosen: MatrixChosen;
  cells: Cells;
  users: (from: number, to: number) => Promise<MatrixUser[]>;
  /** Some rows in the specification's form. */
  jsonCells: (from: number, to: number) => Promise<MatrixJsonCell[]>;
  /** All scores: in total, and by organisation, job role and course. `progress` is called with 0 to 1, and throws if nobody waits any more. */
  aggregates: (progress: (done: number) => void) => Promise<Aggregates>;
};

/** The training matrix: the compliance of people, course by course. */
export const matrixOf = ({ db, now, config }: Pick<Services, 'db' | 'now' | 'config'>) => {
  const openWith = async (actor: Actor, filter: MatrixFilter, search?: string): Promise<OpenMatrix> => {
    const at = now();
    const head = await headOf(db, actor, { ...plainFilter, ...filter }, at, search);
    const { people, columns } = head;
    if (people.length > matrixLimits.people || people.length * columns.length > matrixLimits.cells)
      throw new ProductError('report_too_large', {
        message: `This matrix is too large: it has ${people.length > matrixLimits.people ? `more than ${matrixLimits.people.toLocaleString('en-GB')} people` : `${people.length.toLocaleString('en-GB')} people and ${columns.length.toLocaleString('en-GB')} courses`}. Choose fewer.`,
      });
    const cells = await cellsOf(db, head, at);
    return {
      ...{ head, cells, chosen: await namesIn(db, actor, filter) },
      users: async (from, to) => {
        const some = people.slice(from, to);
        const tags = await tagNamesOf(
          db,
          some.map((p) => p.id),
        );
        return some.map((person) => ({
          ...{ id: person.id, name: person.name, primary_entity_id: person.place.id, primary_entity_name: person.place.name },
          ...{ role_id: person.role_id, starter: isStarter(person, at), tags: [...(tags.get(person.id) ?? [])] },
        }));
      },
      jsonCells: async (from, to) => {
        const some = people.slice(from, to);
        const sheet = await cells(from, to);
        const latest = await latestIdsOf(
          db,
          some.map((p) => p.id),
          columns.map((c) => c.id),
        );
        return some.flatMap((person, row) =>
          columns.map(({ id: course_id }, column): MatrixJsonCell => {
            const cell = cellAt(sheet, row, column);
            const result = latest.get(`${person.id} ${course_id}`);
            return {
              ...{ course_id, user_id: person.id, role_id: person.role_id, primary_entity_id: person.place.id },
              in_date_passed: cell.status === 'in_date' || cell.status === 'expiring' ? 1 : 0,
              in_expiry_warning_period: cell.status === 'expiring' ? 1 : 0,
              latest_result_id: result?.id ?? null,
              latest_result_completed: dayOfNumber(cell.completed),
              latest_result_expires: dayOfNumber(cell.expires),
              result_count: result?.count ?? 0,
              type: cellTypes.indexOf(cell.type) || null,
            };
          }),
        );
      },
      aggregates: async (progress) => {
        const complianceType = filter.compliance_type;
        const groups = new Map<string, MatrixAggregate>();
        const top = { ...emptyScore, entity_id: null, role_id: null, course_id: null };
        const group = (ids: Partial<Pick<MatrixAggregate, 'entity_id' | 'role_id' | 'course_id'>>): MatrixAggregate => {
          const key = JSON.stringify(ids);
          const known = groups.get(key) ?? { ...top, ...emptyScore, ...ids };
          groups.set(key, known);
          return known;
        };
        for (let from = 0; from < people.length; from += rowsAtOnce) {
          const sheet: MatrixSheet = await cells(from, from + rowsAtOnce);
          const { rows, columns: byColumn } = scoresOf(sheet, complianceType);
          byColumn.forEach((score, column) => {
            addScores(group({ course_id: columns[column]?.id ?? null }), score);
          });
          rows.forEach((score, row) => {
            const person = people[from + row];
            if (!person) return;
            addScores(top, score);
            addScores(group({ entity_id: person.place.id }), score);
            if (person.role_id) addScores(group({ role_id: person.role_id }), score);
          });
          progress(Math.min(1, (from + rowsAtOnce) / people.length));
        }
        progress(1);
        return { top: { ...top, score: scoreOf(top) }, all: [...groups.values()].map((g) => ({ ...g, score: scoreOf(g) })) };
      },
    };
  };
  return {
    /** Stores a request for a matrix, which is then opened over the socket. */
    start: async (actor: Actor, input: unknown): Promise<{ websocketUrl: string; matrixID: string }> => {
      const filter = read(MatrixFilter, input) as MatrixFilter;
      const matrixID = randomUUID();
      await db.run(
        sql`insert into matrices (id, user_id, place_id, filter, created_at) values (${matrixID}, ${actor.user.uuid}, ${actor.place.id}, ${JSON.stringify(filter)}, ${now()})`,
      );
      const websocketUrl = `${config.PUBLIC_URL.replace(/^http/, 'ws')}${protocol.apiPrefix}${matrixSocketPath}`;
      return { websocketUrl, matrixID };
    },
    /** The stored request and its organisation, or 404. */
    asked: async (actor: Actor, id: string): Promise<{ place: string; filter: MatrixFilter }> => {
      const { place, filter } = existing(
        await db.one<{ place: string; filter: unknown }>(
          often(sql`select place_id as place, filter from matrices where id = ${id} and user_id = ${actor.user.uuid}`),
        ),
      );
      return { place, filter: read(MatrixFilter, filter) as MatrixFilter };
    },
    openWith,
  };
};
