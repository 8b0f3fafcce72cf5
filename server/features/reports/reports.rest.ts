import type { reportsEndpoints } from '#contract/api/reports.ts';
import { settled } from '#contract/reports/filter.ts';
import { matrixLimits } from '#contract/matrix/messages.ts';
import { headOf } from '#server/features/matrix/head.rows.ts';
import { namesIn } from '#server/features/reports/selection.rows.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const reportsHandlers = ({ db, now }: Services): HandlersOf<typeof reportsEndpoints> => ({
  reportSelection: async ({ body, actor }) => {
    const filter = settled(body);
    const { people, columns } = await headOf(db, actor, filter, now());
    const count = people.length > matrixLimits.people ? null : people.length;
    return { data: { people: count, courses: columns.length, chosen: await namesIn(db, actor, filter) } };
  },
});
