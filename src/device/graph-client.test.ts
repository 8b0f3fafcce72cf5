import { afterEach, describe, expect, it, vi } from 'vitest';
import { serverMark } from '#contract/protocol.ts';
import { HelpArticlesDocument, LearnerEventsDocument, type LearnerEventsQuery } from '#src/api/generated/graphql.ts';

const personId = '5b0f4d1e-6d0f-4b59-9c39-0f3f4f6d2a11';
const help = { personId: '7d1f1c52-3b7e-4c39-8a77-6f0f4b7f3a44', document: HelpArticlesDocument, variables: { first: 5 } };
const events = { personId, document: LearnerEventsDocument, variables: { first: 5, page: 1 } };
const event = (id: string) =>
  ({
    __typename: 'Event',
    id,
    course_id: 'c',
    course_title: `Course ${id}`,
    content_id: null,
    estimated_duration: null,
    delivery: null,
    compliance_type: null,
    focused: null,
    pathway: null,
    asked_version: null,
    needs_licence: false,
    reason: '',
    status: null,
    due_at: null,
    completed_at: null,
    expires_at: null,
    score: null,
    result_id: null,
    attempt_id: null,
    attempt_rev: null,
    percent: 40,
    image: null,
  }) as unknown;
const answer = {
  eventCounts: { current: 1, overdue: 0, completed: 1 },
  openEvaluations: [{ id: '3', course: 'Course 3', until: '2026-01-01T00:00:00.000Z' }],
  activeEvents: { data: [event('1')], paginatorInfo: { lastPage: 1, total: 1 } },
  completedEvents: { data: [event('2')], paginatorInfo: { lastPage: 1, total: 1 } },
} as unknown as LearnerEventsQuery;
/** The client as after a reload: its data comes from the person's store. */
const afterReload = async () => {
  vi.resetModules();
  return import('#src/device/graph-client.ts');
};
const answers = (body: object) =>
  vi.stubGlobal(
    'fetch',
    async () => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json', [serverMark.header]: serverMark.value } }),
  );

describe('the client of the graph', () => {
  afterEach(() => void vi.unstubAllGlobals());
  it('keeps an answer for after a reload, for this person alone', async () => {
    const { keepAnswer } = await afterReload();
    await keepAnswer(events, { ...answer, activeEvents: { ...answer.activeEvents, data: [] } });
    await keepAnswer(events, answer);
    const { keptAnswer } = await afterReload();
    expect(await keptAnswer(events)).toMatchObject(answer);
    expect(await keptAnswer({ ...events, personId: '8f4e4cb0-0a1d-4b0a-8a55-6f0f4b7f3a22' })).toBeNull();
  });
  it('shows what an older version of the app has kept, without what is asked for only since', async () => {
    // A separate person, because a page that was left writes once more after a moment.
    const theirs = { ...events, personId: '0c2f7a9e-51f0-4a86-9a51-6f0f4b7f3a33' };
    const { keepAnswer } = await afterReload();
    const older = (id: string) => {
      const { reason: _since, ...rest } = event(id) as { reason: string };
      return rest;
    };
    const { openEvaluations: _later, ...before } = answer as unknown as Record<string, object>;
    const kept = {
      ...before,
      activeEvents: { ...answer.activeEvents, data: [older('7')] },
      completedEvents: { ...answer.completedEvents, data: [] },
    };
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await keepAnswer(theirs, kept as never);
    const { keptAnswer } = await afterReload();
    expect(await keptAnswer(theirs)).toMatchObject(kept);
    expect(await keptAnswer({ ...theirs, variables: { first: 5, page: 2 } })).toBeNull();
  });
  it('keeps what it asked for, and keeps it where the next question reaches nobody', async () => {
    const articles = [{ id: '1', title: 'Taking a course', url_regex: '.', link_suffix: 'a', body: 'Press Start.' }];
    const { askAndKeep } = await afterReload();
    answers({ data: { helpArticles: { data: articles } } });
    expect(await askAndKeep(help)).toMatchObject({ helpArticles: { data: articles } });
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no line')));
    expect(await askAndKeep(help)).toBeNull();
    const { keptAnswer } = await afterReload();
    expect(await keptAnswer(help)).toMatchObject({ helpArticles: { data: articles } });
  });
  it('keeps nothing of what was refused', async () => {
    const { askAndKeep, keptAnswer } = await afterReload();
    const other = { ...help, variables: { first: 6 } };
    answers({ data: null, errors: [{ message: 'No', extensions: { code: 'forbidden', status: 403 } }] });
    expect(await askAndKeep(other)).toBeNull();
    expect(await keptAnswer(other)).toBeNull();
  });
});
