import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type ASTVisitor, GraphQLError, type GraphQLSchema, type ValidationContext } from 'graphql';
import { createYoga } from 'graphql-yoga';
import * as z from 'zod/mini';
import { type ErrorCode, errors, isErrorCode } from '#contract/errors.ts';
import type { GraphContext } from '#server/graphql/builder.ts';
import { isWithinDepth } from '#server/graphql/within-depth.ts';
import { knownError } from '#server/http/known-error.ts';
import { ProductError } from '#server/product-error.ts';
import { requireCsrf } from '#server/http/register-endpoints.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { read } from '#server/validation.ts';
import type { Services } from '#server/services.ts';

/** The code of an error that was thrown on purpose, by any copy of the library. */
const codeOf = (error: unknown): unknown => (error as { extensions?: { code?: unknown } } | null)?.extensions?.code;

const isGraphError = (error: unknown): error is GraphQLError => (error as Error | null)?.name === 'GraphQLError';
/** The original error: of a resolver, or of the library itself. Variable errors are wrapped several times. */
const causeOf = (error: unknown): unknown => (isGraphError(error) && error.originalError ? causeOf(error.originalError) : error);

const limits = { depth: 8, aliases: 15, fields: 250, bytes: 200_000, tokens: 4000, errors: 20 };
/** The fields of a graph request. Others that clients add are ignored. */
const Asked = z.object({
  query: z.string(),
  variables: z.nullish(z.record(z.string(), z.unknown())),
  operationName: z.nullish(z.string()),
});
const malformed = (message: string, from?: GraphQLError) =>
  new GraphQLError(message, { ...(from?.nodes ? { nodes: from.nodes } : {}), extensions: { code: 'malformed' satisfies ErrorCode } });
const tooMuch = (what: string) => `This query asks for too much (${what}).`;

/** Refuses a query that is too deep, too large or too repetitive, before it runs. */
const withinLimits = (context: ValidationContext): ASTVisitor => {
  let depth = 0;
  let aliases = 0;
  let fields = 0;
  const refuse = (what: string) => context.reportError(malformed(tooMuch(what)));
  return {
    OperationDefinition: (node) => {
      if (node.operation === 'subscription') context.reportError(malformed('There is nothing to subscribe to here.'));
    },
    Field: {
      enter(node) {
        depth++;
        fields++;
        if (node.alias) aliases++;
        if (depth === limits.depth + 1) refuse('depth');
        if (aliases === limits.aliases + 1) refuse('aliases');
        if (fields === limits.fields + 1) refuse('fields');
      },
      leave() {
        depth--;
      },
    },
    FragmentSpread: () => {
      const before = fields;
      fields += 20;
      if (before <= limits.fields && fields > limits.fields) refuse('fields');
    },
  };
};
const noIntrospection = (context: ValidationContext): ASTVisitor => ({
  Field(node) {
    if (node.name.value === '__schema' || node.name.value === '__type')
      context.reportError(new GraphQLError('Introspection is off.', { nodes: node, extensions: { code: 'forbidden' } }));
  },
});

type Parse = (source: never, options?: object) => never;
type Answered = { errors?: readonly GraphQLError[] };
const suggestion = / Did you mean [\s\S]*$/;

export const registerGraphql = async (app: FastifyInstance, services: Services, schema: GraphQLSchema) => {
  const production = services.config.NODE_ENV === 'production';
  const yoga = createYoga<{ actor: Actor | null; from: GraphContext['request'] }>({
    schema,
    graphqlEndpoint: '/api/graphql',
    graphiql: false,
    landingPage: false,
    batching: false,
    logging: false,
    context: ({ actor, from }): GraphContext => ({ services, actor, request: from }),
    maskedErrors: {
      maskError: (error) => {
        const code = codeOf(error);
        if (isErrorCode(code)) return error as GraphQLError;
        // The library's own errors about a query get a code of ours.
        const thrown = causeOf(error);
        if (typeof code === 'string' || isGraphError(thrown)) return malformed((error as Error).message, error as GraphQLError);
        const refusal = knownError(thrown);
        if (!refusal || refusal.status >= 500) services.log.error({ err: thrown }, refusal ? 'out of service' : 'graphql');
        if (!refusal) return new GraphQLError(errors.internal.message, { extensions: { code: 'internal' satisfies ErrorCode } });
        const { message, ...extensions } = refusal.body();
        return new GraphQLError(message, { extensions: { ...extensions, status: refusal.status } });
      },
    },
    plugins: [
      {
        onParse: ({ parseFn, setParseFn }: { parseFn: Parse; setParseFn: (fn: Parse) => void }) => {
          setParseFn((source, options) => parseFn(source, { ...options, maxTokens: limits.tokens }));
        },
        onValidate: ({ addValidationRule }: { addValidationRule: (rule: (context: ValidationContext) => ASTVisitor) => void }) => {
          addValidationRule(withinLimits);
          if (production) addValidationRule(noIntrospection);
        },
        onResultProcess: ({ result, setResult }: { result: Answered | Answered[]; setResult: (result: never) => void }) => {
          if (Array.isArray(result) || !result.errors) return;
          // Every error (parsing, validation, a variable) gets a code of ours, and in production suggests no names that the query did not contain.
          const reported = result.errors.slice(0, limits.errors).map((error) => {
            const { http: _, code, ...more } = error.extensions ?? {};
            return new GraphQLError(production ? error.message.replace(suggestion, '') : error.message, {
              ...{ nodes: error.nodes ?? null, path: error.path ?? null, originalError: error.originalError ?? null },
              extensions: { ...more, code: isErrorCode(code) ? code : 'malformed' },
            });
          });
          setResult({ ...result, errors: reported } as never);
        },
      },
    ],
  });
  app.route({
    url: '/graphql',
    method: ['POST'],
    bodyLimit: limits.bytes,
    handler: async (request, reply) => {
      requireCsrf(services, request);
      if (request.body instanceof Readable) throw new ProductError('unsupported_media');
      const { query, variables, operationName } = read(Asked, request.body) as z.output<typeof Asked>;
      if (!isWithinDepth(query)) return { errors: [malformed(tooMuch('depth'))] };
      const answer = await asActor(request.actor, async (actor) =>
        yoga.fetch(
          'http://localhost/api/graphql',
          {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
            body: JSON.stringify({ query, variables, operationName }),
          },
          { actor, from: request },
        ),
      );
      const text = await answer.text();
      // Errors in a query are reported in the answer; only a server error also sets the status.
      const isInternal = answer.status >= 500 && text.includes('"code":"internal"');
      return reply
        .status(isInternal ? answer.status : 200)
        .type('application/json; charset=utf-8')
        .send(text);
    },
  });
};
