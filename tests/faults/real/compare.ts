import type { Saved } from '#tests/faults/real/real-device.ts';
import type { truthOf } from '#tests/faults/real/inject-server.ts';

type Truth = Awaited<ReturnType<typeof truthOf>>;
const toTheSecond = (instant: string) => Math.floor(Date.parse(instant) / 1000);

/** Sorts keys, because the database reorders JSON fields. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
};
const asText = (value: unknown) => JSON.stringify(sorted(value));

/** Checks that the server has everything the device reported as saved, once and with the right time. */
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
    if (seconds !== s.seconds) wrong.push(`the page ${topic} counts ${seconds} s on the server and ${s.seconds} s on the device`);
    if (s.at && (there.completed_at === null || toTheSecond(there.completed_at) !== toTheSecond(s.at)))
      wrong.push(`the page ${topic} was finished at ${s.at} and stands at ${there.completed_at}`);
  }
  for (const s of saved) {
    if (s.kind !== 'quiz' || archived.has(s.key)) continue;
    const there = truth.submissions.filter((x) => x.id === s.key);
    if (there.length !== 1) wrong.push(`the quiz ${s.key} was handed in and the server has it ${there.length} times`);
    if (there[0] && asText(there[0].said) !== asText(s.said))
      wrong.push(`the quiz ${s.key} was answered ${asText(there[0].said)} on the server, and ${asText(s.said)} here`);
  }
  // The newest answer to a question counts. Answers to a try that was closed earlier are only in archive and ledger.
  const answers = new Map(saved.filter((s) => s.kind === 'answer').map((s) => [s.key, s.said]));
  const handedIn = new Set(truth.tries);
  for (const { key, said } of truth.answers)
    if (asText(said) !== asText(answers.get(key)))
      wrong.push(`the answer ${key} is ${asText(said)} on the server, and was ${asText(answers.get(key))}`);
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
    'certificate from elsewhere': truth.certificates,
    feedback: truth.feedback,
  };
  for (const [kind, there] of Object.entries(once)) {
    const keys = new Map(saved.filter((s) => s.kind === kind).map((s) => [s.key, s]));
    for (const [key, s] of keys) {
      const rows = there.filter((r) => r.key === key) as { key: string; seconds?: number; hash?: string; said?: unknown }[];
      if (rows.length !== 1) wrong.push(`the ${kind} ${key} was saved and the server has it ${rows.length} times`);
      if (rows[0] && rows[0].hash !== s.hash) wrong.push(`the ${kind} ${key} is not the same on the server`);
      if (s.said !== undefined && rows[0] && asText(rows[0].said) !== asText(s.said))
        wrong.push(`the ${kind} ${key} says ${asText(rows[0].said)} on the server, and ${asText(s.said)} here`);
      if (kind === 'session' && rows[0] && rows[0].seconds !== s.seconds)
        wrong.push(`the session ${key} counts ${rows[0].seconds} s on the server and ${s.seconds} s on the device`);
    }
    if (there.length > keys.size) wrong.push(`the server has ${there.length} of ${kind}, and ${keys.size} were saved`);
  }
  return wrong;
};
