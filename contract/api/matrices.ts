import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id } from '#contract/entities/fields.ts';
import { MatrixExchange, MatrixExchanged } from '#contract/matrix/messages.ts';

export const exchangeMatrix = endpoint({
  id: 'exchangeMatrix',
  method: 'POST',
  path: '/matrices/{id}/exchange',
  ours: true,
  summary:
    'The conversation of a matrix’s web socket over plain requests, for networks that refuse web sockets: subscribes to a matrix that the caller asked the graph for, answers what is fetched, and names the people and courses that the rows refer to (`head`), which may change between requests.',
  params: z.object({ id: Id }),
  body: MatrixExchange,
  response: MatrixExchanged,
  errors: ['invalid_input', 'unauthenticated', 'forbidden', 'not_found', 'acting_as_refused', 'report_too_large', 'csrf_mismatch'],
  access: ['report.matrix'],
  offline: 'online-only',
});

export const matrixEndpoints = [exchangeMatrix] as const;
