import { call, sentenceOf } from '#src/api/call.ts';

/** Search results while typing: the first matches, or why the search failed. */
const most = 50;

/** Organisations that the caller can see. */
export const findEntities = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /entities', { query: { search, per_page: most } }, { signal, quiet: true });
  return result.kind === 'ok' ? { options: result.data.map((e) => ({ id: e.id, title: e.name, slug: e.slug })) } : { failed: sentenceOf(result) };
};
/** People that the caller can see, with their organisation. */
export const findPeople = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /users', { query: { search, per_page: most } }, { signal, quiet: true });
  return result.kind === 'ok'
    ? { options: result.data.map((u) => ({ id: u.uuid, title: u.name, where: u.primary_entity.name })) }
    : { failed: sentenceOf(result) };
};
/** Care certificates not yet approved of people the caller can see, by the person's name. */
export const findCertificates = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /care-certificates', { query: { search, per_page: most, state: 'in_progress' } }, { signal, quiet: true });
  return result.kind === 'ok'
    ? { options: result.data.map((c) => ({ id: c.id, title: c.user.name, where: c.place })) }
    : { failed: sentenceOf(result) };
};
/** Courses of the caller's organisation. */
export const findCourses = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /courses', { query: { search, per_page: most } }, { signal, quiet: true });
  return result.kind === 'ok' ? { options: result.data } : { failed: sentenceOf(result) };
};
