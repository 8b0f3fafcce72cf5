import { call, sentenceOf } from '#src/api/call.ts';

/** What a field finds as one types: the first of what matches, or why nothing could be looked up. */
const most = 50;

/** Organisations that the caller can see. */
export const findEntities = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /entities', { query: { search, per_page: most } }, { signal, quiet: true });
  return result.kind === 'ok' ? { options: result.data.map((e) => ({ id: e.id, title: e.name, slug: e.slug })) } : { failed: sentenceOf(result) };
};
/** People that the caller can see, with where they work. */
export const findPeople = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /users', { query: { search, per_page: most } }, { signal, quiet: true });
  return result.kind === 'ok'
    ? { options: result.data.map((u) => ({ id: u.uuid, title: u.name, where: u.primary_entity.name })) }
    : { failed: sentenceOf(result) };
};
/** Care certificates of the people whom the caller can see, not approved yet: by the name of whose they are. */
export const findCertificates = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /care-certificates', { query: { search, per_page: most, state: 'in_progress' } }, { signal, quiet: true });
  return result.kind === 'ok'
    ? { options: result.data.map((c) => ({ id: c.id, title: c.user.name, where: c.place })) }
    : { failed: sentenceOf(result) };
};
/** Courses that the caller's organisation has. */
export const findCourses = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /courses', { query: { search, per_page: most } }, { signal, quiet: true });
  return result.kind === 'ok' ? { options: result.data } : { failed: sentenceOf(result) };
};
