import * as z from 'zod/mini';
import { Count, Id, Ref } from '#contract/entities/fields.ts';
import { markText } from '#contract/matrix/marks.ts';

/**
 * The messages of a matrix's web socket. Their names are the specification's; their further fields are ours. A client first names the
 * matrix that it wants, then fetches parts of it. Without a subprotocol every answer is JSON; with `binaryProtocol` cells are sent as bytes
 * (contract/matrix/sheet.ts).
 */
export const matrixSocketPath = '/matrix-socket';
/** Ours: cells as bytes. Each binary message is one byte for the compression (`packing`), three empty ones, and packed rows. */
export const binaryProtocol = 'lantern.matrix.1';
export const packing = { plain: 0, deflated: 1 } as const;
/** How often a client without an answer subscribes again, after 1, 4, 9 … seconds. Source: the specification. */
export const subscribeRetries = 5;
/** After this time a client says that it takes long. Source: the specification. */
export const takesLongMs = 15_000;
export const matrixLimits = { people: 20_000, rowsAtOnce: 1000, cells: 10_000_000, messageBytes: 200_000 } as const;

export const fetchable = ['users', 'courses', 'roles', 'matrix_cells', 'top_level_aggregate', 'aggregate'] as const;
export type Fetchable = (typeof fetchable)[number];

const Marks = (kind: 'person' | 'row') =>
  z.string().check(z.maxLength(markText(matrixLimits.people, kind)), z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/));
const Row = z.int().check(z.gte(0), z.lte(matrixLimits.people));
const MatrixFetch = z.object({
  ...{ type: z.literal('fetch_data'), data: z.enum(fetchable), from: z.optional(Row), to: z.optional(Row) },
  /** Ours, for users: known people (`known_people`) are not sent; `same` in the answer says where they are. */
  short: z.optional(z.boolean()),
  /** Ours, for cells: the marks of the rows that the client has (`rowMark`); only changed rows are sent. Older clients send a list of whole marks. */
  known: z.optional(z.union([Marks('row'), z.array(z.int().check(z.gte(0), z.lte(0xffff_ffff))).check(z.maxLength(matrixLimits.people))])),
  /** Ours: bytes are deflated, for a slow connection. */
  deflate: z.optional(z.boolean()),
});
/** From a client. `from` and `to` (exclusive) are indexes in the list of people; without them, all. */
export const MatrixRequest = z.discriminatedUnion('type', [
  z.object({
    ...{ type: z.literal('subscribe'), matrixID: Id },
    /** Ours: the marks (`personMark`) of the people that the client already has, each as the server sent them, in any order. */
    known_people: z.optional(Marks('person')),
  }),
  MatrixFetch,
]);
export type MatrixRequest = z.infer<typeof MatrixRequest>;

export const MatrixUser = z.object({
  id: Id,
  name: z.string(),
  primary_entity_id: Id,
  primary_entity_name: z.string(),
  role_id: z.nullable(Id),
  starter: z.boolean(),
  /** Their names. */
  tags: z.array(z.string()),
});
export type MatrixUser = z.infer<typeof MatrixUser>;
export const MatrixCourse = z.object({ id: Id, title: z.string(), short_title: z.string() });
export type MatrixCourse = z.infer<typeof MatrixCourse>;
export const MatrixRole = z.object({ ...Ref.shape, inspectable: z.boolean() });
export type MatrixRole = z.infer<typeof MatrixRole>;

/** A cell of the specification; flags are 1 or 0, `type` is 1 for primary, 2 for secondary, null if the course is not required. */
export const MatrixJsonCell = z.object({
  course_id: Id,
  user_id: Id,
  role_id: z.nullable(Id),
  primary_entity_id: Id,
  in_date_passed: z.int(),
  in_expiry_warning_period: z.int(),
  latest_result_id: z.nullable(Id),
  latest_result_completed: z.nullable(z.string()),
  latest_result_expires: z.nullable(z.string()),
  result_count: Count,
  type: z.nullable(z.int()),
});
export type MatrixJsonCell = z.infer<typeof MatrixJsonCell>;

/** Required and in date, without starters within their period; `score` in whole per cent, rounded down, null if nothing is required. */
export const MatrixScore = z.object({ required: Count, in_date: Count, score: z.nullable(Count) });
export type MatrixScore = z.infer<typeof MatrixScore>;
export const MatrixAggregate = z.object({ ...MatrixScore.shape, entity_id: z.nullable(Id), role_id: z.nullable(Id), course_id: z.nullable(Id) });
export type MatrixAggregate = z.infer<typeof MatrixAggregate>;

export type MatrixChosen = Extract<MatrixMessage, { type: 'metadata' }>['chosen'];
/** From the server. */
export const MatrixMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('subscribe_ack'), matrixID: Id }),
  z.object({
    ...{ type: z.literal('metadata'), user_count: Count, course_count: Count },
    /** Ours: the names of the chosen filter values that the caller may see. */
    chosen: z.object({ entities: z.array(Ref), roles: z.array(Ref), tags: z.array(Ref), users: z.array(Ref), courses: z.array(Ref) }),
  }),
  z.object({ type: z.literal('progress'), progress: z.number().check(z.gte(0), z.lte(1)) }),
  z.object({ type: z.literal('fetch_ready'), data: z.array(z.enum(fetchable)) }),
  z.object({
    ...{ type: z.literal('data'), data: z.enum(fetchable), from: Row, rows: z.array(z.unknown()) },
    /** Whether this is the last message of the answer. */
    complete: z.boolean(),
    /** Ours, for users requested with `short`: first row, position among the known, and length of each run of known people. `rows` has the others. */
    same: z.optional(z.array(z.tuple([Row, Row, Row]))),
    /** Ours, after cells as bytes: the SHA-256 of all cells, once all have been prepared. With `same`: of the JSON of all users, one per line. */
    digest: z.optional(z.string()),
  }),
  /** Ours: why the matrix is not available, in words. The socket closes after it. */
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
]);
export type MatrixMessage = z.infer<typeof MatrixMessage>;

/**
 * Ours: the same conversation over plain requests, for networks that refuse web sockets. A request repeats the subscription, followed by
 * what is fetched; the answer has all messages in their order. `head` names the people and courses that the rows refer to.
 */
export const MatrixExchange = z.object({
  known_people: z.optional(Marks('person')),
  fetch: z.array(MatrixFetch).check(z.maxLength(4)),
});
export type MatrixExchange = z.infer<typeof MatrixExchange>;
export const MatrixExchanged = z.object({
  head: z.string(),
  messages: z.array(z.union([z.object({ json: MatrixMessage }), z.object({ base64: z.string() })])),
});
export type MatrixExchanged = z.infer<typeof MatrixExchanged>;
