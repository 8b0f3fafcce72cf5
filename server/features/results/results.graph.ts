import * as z from 'zod/mini';
import { Result, resultStatuses, resultTypes } from '#contract/entities/result.ts';
import { resultsOf } from '#server/features/results/results.service.ts';
import { builder, type GraphContext, idOf, inNames, page, paginator, searched, signedIn } from '#server/graphql/builder.ts';
import { graphEnum, graphType } from '#server/graphql/entity-types.ts';
import { ProductError } from '#server/product-error.ts';

const ResultStatus = z.enum(resultStatuses);
const ResultType = z.enum(resultTypes);
const serviceOf = (context: GraphContext) => resultsOf(context.services);
type Paging = { first?: number | null | undefined; page?: number | null | undefined; search?: string | null | undefined };

/** Results of visible people, those waiting for a decision, and the decision. */
export const resultsGraph = () => {
  const Status = graphEnum('ResultStatus', ResultStatus);
  const Type = graphEnum('ResultType', ResultType);
  const Line = graphType('Result', Result, {
    description: 'A line of a training record.',
    about: {
      counts: 'Ours: whether it says how the person stands with the course.',
      zone: 'Ours: the time zone of the days of its times.',
      rev: 'Ours: its version.',
      origin: 'Ours: attempt, register, import, manual, approval, pathway or transfer.',
    },
  });
  const Lines = paginator(Line);
  const listed = async (
    context: GraphContext,
    paging: Paging,
    status: z.output<typeof ResultStatus>,
    type: z.output<typeof ResultType> | undefined,
  ) => {
    const pageArgs = page(paging);
    const search = searched(paging.search);
    const { data, meta } = await serviceOf(context).list(signedIn(context, 'record.search'), {
      page: pageArgs.page,
      per_page: pageArgs.first,
      status,
      type,
      search,
    });
    return { data, total: meta.total, ...pageArgs };
  };
  builder.queryFields((t) => ({
    results: t.field({
      type: Lines,
      description: 'Results of the people one can see, those recorded last first. Needs permission record.search.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string(), status: t.arg({ type: Status }), type: t.arg({ type: Type }) },
      resolve: (_, { status, type, ...asked }, context) => listed(context, asked, status ?? 'approved', type ?? undefined),
    }),
    pendingResults: t.field({
      type: Lines,
      description: 'Results that wait for a decision. Needs permission record.search.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string(), type: t.arg({ type: Type }) },
      resolve: (_, { type, ...asked }, context) => listed(context, asked, 'pending', type ?? undefined),
    }),
  }));
  builder.mutationFields((t) => ({
    approvePendingResult: t.field({
      type: Line,
      description: 'Approves a pending result. Needs permission record.update.',
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_, { id }, context) => {
        const actor = signedIn(context, 'record.update');
        const result = idOf(id);
        const decision = { ids: [result], decision: 'approve' as const, reason: '' };
        const { problems } = await inNames({ ids: 'id' }, () => serviceOf(context).decide({ actor, request: context.request }, decision));
        const [problem] = problems;
        if (problem) throw new ProductError('rev_mismatch', { message: problem.problem });
        return (await serviceOf(context).get(actor, result)).result;
      },
    }),
  }));
};
