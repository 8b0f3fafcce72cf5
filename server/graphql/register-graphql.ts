import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';
import { createYoga, maskError } from 'graphql-yoga';
import { errors } from '#contract/errors.ts';
import type { GraphContext } from '#server/graphql/builder.ts';
import { schema } from '#server/graphql/schema.ts';
import { ProductError } from '#server/http/product-error.ts';
import { requireCsrf } from '#server/http/register-endpoints.ts';
import { asActor } from '#server/http/scope-of.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';

/** The code of an error that was thrown on purpose, by whichever copy of the library. */
const codeOf = (error: unknown): unknown => (error as { extensions?: { code?: unknown } } | null)?.extensions?.code;

const limits = { depth: 8, aliases: 15, fields: 250, bytes: 200_000 };

/** Refuses a query that asks too deeply, too often or for too much, before it runs. */
const withinLimits = (context: ValidationContext): ASTVisitor => {
  let depth = 0;
  let aliases = 0;
  let fields = 0;
  const refuse = (what: string) =>
    context.reportError(new GraphQLError(`This query asks for too much (${what}).`, { extensions: { code: 'malformed' } }));
  return {
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
      fields += 20;
      if (fields > limits.fields) refuse('fields');
    },
  };
};
const noIntrospection = (context: ValidationContext): ASTVisitor => ({
  Field(node) {
    if (node.name.value === '__schema' || node.name.value === '__type')
      context.reportError(new GraphQLError('Introspection is off.', { nodes: node, extensions: { code: 'forbidden' } }));
  },
});

type Answered = { errors?: readonly GraphQLError[] };
const withoutSuggestions = (error: GraphQLError): GraphQLError =>
  new GraphQLError(error.message.replace(/ Did you mean [\s\S]*$/, ''), {
    ...{ nodes: error.nodes ?? null, path: error.path ?? null, extensions: error.extensions },
    originalError: error.originalError ?? null,
  });

export const registerGraphql = async (app: FastifyInstance, services: Services) => {
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
      maskError: (error, message, isDev) => {
        if (codeOf(error) !== undefined) return error as GraphQLError;
        if (error instanceof GraphQLError && !error.originalError) {
          return new GraphQLError(error.message, { nodes: error.nodes, extensions: { code: 'malformed' } });
        }
        const refusal = (error as { originalError?: unknown } | null)?.originalError ?? error;
        if (refusal instanceof ProductError) {
          const { message, ...extensions } = refusal.body();
          return new GraphQLError(message, { extensions: { ...extensions, status: refusal.status } });
        }
        services.log.error({ err: refusal }, 'graphql');
        return new GraphQLError(errors.internal.message, {
          extensions: { code: 'internal', masked: maskError(error, message, isDev) instanceof Error },
        });
      },
    },
    plugins: [
      {
        onValidate: ({ addValidationRule }: { addValidationRule: (rule: (context: ValidationContext) => ASTVisitor) => void }) => {
          addValidationRule(withinLimits);
          if (production) addValidationRule(noIntrospection);
        },
        // Whatever an error comes from (parsing, validation, a variable): in production it names nothing that was not asked for.
        onResultProcess: ({ result, setResult }: { result: Answered | Answered[]; setResult: (result: never) => void }) => {
          if (production && !Array.isArray(result) && result.errors) setResult({ ...result, errors: result.errors.map(withoutSuggestions) } as never);
        },
      },
    ],
  });
  app.addContentTypeParser(/^multipart\/form-data/, {}, (_request, _payload, done) => done(null));
  app.route({
    url: '/graphql',
    method: ['POST'],
    bodyLimit: limits.bytes,
    handler: async (request, reply) => {
      requireCsrf(services, request);
      const response = await asActor(request.actor, async (actor) =>
        yoga.handleNodeRequestAndResponse(request as never, reply as never, { actor, from: request }),
      );
      for (const [name, value] of response.headers) reply.header(name, value);
      reply.status(response.status);
      return reply.send(response.body ? Readable.from(response.body as unknown as AsyncIterable<Uint8Array>, { objectMode: false }) : '');
    },
  });
};
