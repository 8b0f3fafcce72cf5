import type { Saved } from '#tests/faults/real/real-device.ts';
import type { truthOf } from '#tests/faults/real/inject-server.ts';

type Truth = Awaited<ReturnType<typeof truthOf>>;
const toTheSecond = (instant: string) => Math.floor(Date.parse(instant) / 1000);

/** As the database orders the fields of JSON: by nothing that was said. */
const sorted = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Whether the server has everything that the tablet said was saved: once, and at the time when it was done. */
export const compare = (saved: readonly Saved[], truth: Truth): string[] => {
  const wrong: string[] = [];
  const archived = new Set(truth.refusals.map((r) => r.entry_id));
  const last = new Map(saved.filter((s) => s.kind === 'progress').map((s) => [s.topic, s]));
  for (const [topic, s] of last) {
    const there = truth.progress.find((p) => p.topic_id === topic);
    if (!there) {
      wrong.push(`the page ${topic} was saved and is not on the server`);
      continue;
    }
    const seconds = Object.values(there.seconds).reduce((a, b) => a + b, 0);
    if (seconds !== s.seconds) wrong.push(`the page ${topic} counts ${seconds} s on the server and ${s.seconds} s on the tablet`);
    if (s.at && (there.completed_at === null || toTheSecond(there.completed_at) !== toTheSecond(s.at)))
      wrong.push(`the page ${topic} was finished at ${s.at} and stands at ${there.completed_at}`);
  }
  for (const s of saved) {
    if (s.kind === 'quiz' && !archived.has(s.key) && truth.submissions.filter((x) => x.id === s.key).length !== 1)
      wrong.push(`the quiz ${s.key} was handed in and the server has it ${truth.submissions.filter((x) => x.id === s.key).length} times`);
  }
  // The newest answer to a question counts. Of a try that was closed before it came, only the archive and the ledger know.
  const answers = new Map(saved.filter((s) => s.kind === 'answer').map((s) => [s.key, s.said]));
  const handedIn = new Set(truth.tries);
  for (const { key, said } of truth.answers)
    if (JSON.stringify(sorted(said)) !== JSON.stringify(sorted(answers.get(key))))
      wrong.push(`the answer ${key} is ${JSON.stringify(said)} on the server, and was ${JSON.stringify(answers.get(key))}`);
  for (const key of answers.keys())
    if (!truth.answers.some((a) => a.key === key) && !handedIn.has(key.split(':').slice(0, 2).join(':')))
      wrong.push(`the answer ${key} was saved and is not on the server`);
  const once = {
    session: truth.sessions,
    statement: truth.statements,
    observation: truth.observations,
    evidence: truth.evidence,
    signature: truth.signatures,
    message: truth.messages,
    mark: truth.marks,
    'walk-in': truth.walkIns,
    'signature of a mark': truth.markSignatures,
    'finished register': truth.completions,
  };
  for (const [kind, there] of Object.entries(once)) {
    const keys = new Map(saved.filter((s) => s.kind === kind).map((s) => [s.key, s]));
    for (const [key, s] of keys) {
      const rows = there.filter((r) => r.key === key) as { key: string; seconds?: number; hash?: string; said?: string }[];
      if (rows.length !== 1) wrong.push(`the ${kind} ${key} was saved and the server has it ${rows.length} times`);
      if (rows[0] && rows[0].hash !== s.hash) wrong.push(`the ${kind} ${key} is not the same on the server`);
      if (kind === 'message' && rows[0] && rows[0].said !== s.said)
        wrong.push(`the message ${key} says “${rows[0].said}” on the server, and “${s.said}” here`);
      if (kind === 'session' && rows[0] && rows[0].seconds !== s.seconds)
        wrong.push(`the session ${key} counts ${rows[0].seconds} s on the server and ${s.seconds} s on the tablet`);
    }
    if (there.length > keys.size) wrong.push(`the server has ${there.length} of ${kind}, and ${keys.size} were saved`);
  }
  return wrong;
};
