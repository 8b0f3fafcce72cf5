import { currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { LearnerEventsDocument } from '#src/api/generated/graphql.ts';
import { keepPage, keptPage } from '#src/device/kept-pages.ts';
import { protocol } from '#contract/protocol.ts';

export type SubmissionCourse = { id: string; title: string };
/** The courses for which a certificate can be submitted. `whole`: all of the organisation. */
export type SubmissionCourses = { courses: SubmissionCourse[]; whole: boolean };

/** The person's own courses, as stored with the home page. */
const ownCourses = async (): Promise<SubmissionCourse[]> => {
  const user = currentUser();
  if (!user) return [];
  const { keptAnswer } = await import('#src/device/graph-client.ts');
  const found = new Map<string, string>();
  for (let page = 1, last = 1; page <= last; page++) {
    const variables = { first: protocol.graphPageSizeAll, page };
    const kept = await keptAnswer({ personId: user.uuid, document: LearnerEventsDocument, variables });
    if (!kept) break;
    last = Math.max(kept.activeEvents.paginatorInfo.lastPage, kept.completedEvents.paginatorInfo.lastPage);
    for (const e of [...kept.activeEvents.data, ...kept.completedEvents.data]) found.set(e.course_id, e.course_title);
  }
  return [...found].map(([id, title]) => ({ id, title })).sort((a, b) => a.title.localeCompare(b.title));
};

/** Fetches them. Offline, if this device has never stored the answer: the person's own courses. */
export const loadSubmissionCourses = async () => {
  const answer = await call('GET /submissions/courses', {}, { quiet: true });
  if (answer.kind === 'ok') return { ...answer, data: { courses: answer.data, whole: true } };
  if (answer.kind !== 'unreachable' || (await keptPage('own-courses').catch(() => null))) return answer;
  const courses = await ownCourses().catch(() => []);
  return courses.length === 0 ? answer : { kind: 'ok' as const, data: { courses, whole: false } };
};

/** Stores them on this device, for a certificate that is added offline. */
export const keepSubmissionCourses = async (): Promise<void> => {
  const answer = await loadSubmissionCourses();
  if (answer.kind === 'ok' && answer.data.whole) await keepPage('own-courses', answer.data);
};
