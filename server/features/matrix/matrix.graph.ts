import * as z from 'zod/mini';
import { reportedTypes, starterFilters } from '#contract/reports/filter.ts';
import { matrixOf } from '#server/features/matrix/matrix.service.ts';
import { builder, signedIn } from '#server/graphql/builder.ts';
import { graphEnum } from '#server/graphql/entity-types.ts';

/** The address of a training matrix. */
export const matrixGraph = () => {
  const Type = graphEnum('ReportedType', z.enum(reportedTypes));
  const Starters = graphEnum('StarterFilter', z.enum(starterFilters));
  const Start = builder.objectRef<{ websocketUrl: string; matrixID: string }>('MatrixStart').implement({
    description: 'Where to look at a matrix: subscribe to its id over the web socket.',
    fields: (t) => ({ websocketUrl: t.exposeString('websocketUrl'), matrixID: t.exposeID('matrixID') }),
  });
  builder.queryFields((t) => ({
    matrix: t.field({
      type: Start,
      description: 'Prepares a training matrix of the people one can see. Needs permission report.matrix.',
      args: {
        ...{ entities: t.arg.idList(), roles: t.arg.idList(), tags: t.arg.idList(), users: t.arg.idList(), courses: t.arg.idList() },
        ...{ compliance_type: t.arg({ type: Type }), new_starters_filter: t.arg({ type: Starters }) },
      },
      resolve: (_, args, context) => {
        const actor = signedIn(context, 'report.matrix');
        return matrixOf(context.services).start(actor, Object.fromEntries(Object.entries(args).filter(([, value]) => value != null)));
      },
    }),
  }));
};
