import type { MarketplaceItem, OfferedCourse } from '#contract/entities/marketplace.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';

/** An option of a picker. Organisations have a slug; people have their organisation. */
export type Option = { id: string; name: string; slug?: string; where?: string };
/** The first matches, or why the search failed. */
type Found = { options: Option[] } | { failed: string };
export type Find = (typed: string, signal: AbortSignal) => Promise<Found>;

const most = 50;
const found = <R>(result: Result<R[]>, option: (row: R) => Option): Found =>
  result.kind === 'ok' ? { options: result.data.map(option) } : { failed: sentenceOf(result) };

/** Organisations that the caller can see. */
export const findEntities: Find = async (search, signal) =>
  found(await call('GET /entities', { query: { search, per_page: most } }, { signal, quiet: true }), ({ id, name, slug }) => ({ id, name, slug }));
/** People that the caller can see, with their organisation. */
export const findPeople: Find = async (search, signal) =>
  found(await call('GET /users', { query: { search, per_page: most } }, { signal, quiet: true }), (u) => ({
    ...{ id: u.uuid, name: u.name, where: u.primary_entity.name },
  }));
/** Care certificates not yet approved of people the caller can see, by the person's name. */
export const findCertificates: Find = async (search, signal) =>
  found(await call('GET /care-certificates', { query: { search, per_page: most, state: 'in_progress' } }, { signal, quiet: true }), (c) => ({
    ...{ id: c.id, name: c.user.name, where: c.place },
  }));
/** Courses of the caller's organisation. */
export const findCourses: Find = async (search, signal) =>
  found(await call('GET /courses', { query: { search, per_page: most } }, { signal, quiet: true }), (c) => ({ id: c.id, name: c.title }));
/** Courses assigned to an organisation. */
export const findCoursesOf =
  (slug: string): Find =>
  async (search, signal) =>
    found(await call('GET /entities/{slug}/courses', { params: { slug }, query: { search, per_page: most } }, { signal, quiet: true }), (c) => ({
      ...{ id: c.id, name: c.title },
    }));
/** Courses with something of a type that can be offered, with their kinds of training in words. */
export const findOffered =
  (type: MarketplaceItem['type'], words: (types: OfferedCourse['types']) => string): Find =>
  async (search, signal) =>
    found(await call('GET /marketplace-courses', { query: { search, per_page: most, type } }, { signal, quiet: true }), (c) => ({
      ...{ id: c.id, name: c.title, where: words(c.types) },
    }));
/** Searches names in a list that the server returns as a whole. */
export const findIn =
  (load: (options: { signal: AbortSignal; quiet: true }) => Promise<Result<{ id: string; name: string }[]>>): Find =>
  async (typed, signal) => {
    const words = typed.trim().toLowerCase();
    const result = await load({ signal, quiet: true });
    return result.kind === 'ok'
      ? { options: result.data.filter((o) => o.name.toLowerCase().includes(words)).map(({ id, name }) => ({ id, name })) }
      : { failed: sentenceOf(result) };
  };
