import type { InputRef, ObjectFieldsShape, ObjectRef } from '@pothos/core';
import type * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Id, Ref } from '#contract/entities/fields.ts';
import { builder } from '#server/graphql/builder.ts';

type Schema = z.ZodMiniType;
type Types = typeof builder.$inferSchemaTypes;
type Fields<T> = Parameters<ObjectFieldsShape<Types, T>>[0];
type About<S extends z.ZodMiniObject> = { [K in keyof S['shape']]?: string };
const scalars: Record<string, string> = { string: 'String', enum: 'String', boolean: 'Boolean' };
type Def = { type: string; format?: string; checks?: { _zod: { def: { format?: string } } }[]; innerType?: Schema; element?: Schema };
const isWhole = ({ format, checks = [] }: Def) => [format, ...checks.map((c) => c._zod.def.format)].includes('safeint');

/** The types of the graph by the schema that each was made from. A schema can be both read and sent. */
const types = new Map<Schema, unknown>();
const inputs = new Map<Schema, unknown>();

/** The graph type of an entity's field, of those in `types`. */
const typeOf = (schema: Schema, types: ReadonlyMap<Schema, unknown>): { type: unknown; optional: boolean } => {
  const def = schema._zod.def as Def;
  if (def.innerType) return { type: typeOf(def.innerType, types).type, optional: true };
  if (def.element) return { type: [typeOf(def.element, types).type], optional: false };
  const type = types.get(schema) ?? (schema === Id ? 'ID' : def.type === 'number' ? (isWhole(def) ? 'Int' : 'Float') : scalars[def.type]);
  if (type === undefined) throw new Error(`the graph has no type for a field that is ${def.type}`);
  return { type, optional: false };
};

/** A type of the graph for a list of words of the contract. */
export const graphEnum = <E extends Record<string, string>>(name: string, schema: z.ZodMiniEnum<E>) => {
  const ref = builder.enumType(name, { values: schema.options as E[keyof E][] });
  types.set(schema, ref);
  inputs.set(schema, ref);
  return ref;
};

/** A graph type with the fields of an entity of the contract. `about` describes some of them; `more` are computed on request. */
export const graphType = <S extends z.ZodMiniObject, T extends z.output<S> = z.output<S>>(
  name: string,
  schema: S,
  { description, about = {}, more }: { description?: string; about?: About<S>; more?: (t: Fields<T>) => object } = {},
): ObjectRef<Types, T> => {
  const ref = builder.objectRef<T>(name);
  types.set(schema, ref);
  ref.implement({
    ...(description ? { description } : {}),
    fields: (t) =>
      ({
        ...Object.fromEntries(
          Object.entries(schema.shape).map(([field, fieldSchema]) => {
            const { type, optional } = typeOf(fieldSchema as Schema, types);
            const resolve = (row: T) => (row as Record<string, unknown>)[field];
            return [field, t.field({ type, nullable: optional, description: about[field as keyof S['shape']], resolve } as never)];
          }),
        ),
        ...more?.(t),
      }) as never,
  });
  return ref;
};

/** The same for inputs. The service that receives one validates it by the schema. */
export const graphInput = <S extends z.ZodMiniObject>(name: string, schema: S, description?: string): InputRef<z.input<S>> => {
  const ref = builder.inputType(name, {
    ...(description ? { description } : {}),
    fields: (t) =>
      Object.fromEntries(
        Object.entries(schema.shape).map(([field, fieldSchema]) => {
          const { type, optional } = typeOf(fieldSchema as Schema, inputs);
          return [field, t.field({ type, required: !optional } as never)];
        }),
      ) as never,
  });
  inputs.set(schema, ref);
  return ref as never;
};

/** What entities of every feature refer to. */
graphType('Named', Ref);
graphType('OrganisationRef', EntityRef);
