/**
 * Known bugs of offline systems, each as a change of our source that puts it back, and what has to catch it. A unit test
 * holds the places against the source, so that none of them comes to nothing when the source changes.
 */
export type Mutation = { bug: string; file: string; from: string; to: string; caught: string[] };
const unit = (file: string, name: string) => ['vitest', 'run', '--project', 'unit', file, '-t', name];
const database = (file: string, name: string) => ['vitest', 'run', '--project', 'pglite', file, '-t', name];
const campaign = (name: string, runs: number, seed = 1) => ['node', 'tests/faults/run.ts', name, '--runs', String(runs), '--seed', String(seed)];

export const mutations: readonly Mutation[] = [
  {
    bug: 'an entry is dropped on 401 (workbox-background-sync: any answer counts as delivered)',
    file: 'src/offline/replay/replay.ts',
    from: "      case 'sign-in':\n      case 'other-person':",
    to: "      case 'sign-in':\n        await store.settle(lane, ids.map((id) => ({ id, outcome: 'applied' as const })), null, at);\n        return 'moved';\n      case 'other-person':",
    caught: campaign('simulation', 40),
  },
  {
    bug: 'entries are ordered by the wall clock (@tanstack/offline-transactions)',
    file: 'src/offline/outbox/choose-sendable.ts',
    from: 'for (const entry of entries) {',
    to: 'for (const entry of [...entries].sort((a, b) => (a.at < b.at ? -1 : 1))) {',
    caught: campaign('simulation', 300),
  },
  {
    bug: 'a captive portal’s page counts as an answer of the server',
    file: 'src/api/transport.ts',
    from: "if (response.headers.get(serverMark.header) !== serverMark.value) return { kind: 'unreachable', reason: 'stranger' };",
    to: '',
    caught: unit('src/api/transport.test.ts', ''),
  },
  {
    bug: 'what is joined to an entry while it is chosen is lost (found here by the simulation)',
    file: 'src/offline/replay/replay.ts',
    from: 'return known.get(lane[0]) ?? [];',
    to: 'return known.size >= 0 ? lane[1].slice(0, entriesAtOnce) : [];',
    caught: unit('tests/simulation/replay.test.ts', 'joined to an entry while it is chosen'),
  },
  {
    bug: 'a child is sent after its parent failed',
    file: 'src/offline/outbox/choose-sendable.ts',
    from: 'entry.dependsOn.some((id) => unsent.has(id) && !own.some((o) => o.id === id))',
    to: 'false && unsent.size > own.length',
    caught: unit('src/offline/outbox/outbox.test.ts', 'sends nothing that depends on what is not sent yet'),
  },
  {
    bug: 'each try has an id of its own, so that a lost answer doubles the effect',
    file: 'src/offline/replay/lane-transport.ts',
    from: 'return { id, version, at, command, args,',
    to: 'return { id: crypto.randomUUID(), version, at, command, args,',
    caught: campaign('integration', 10),
  },
  {
    bug: 'saved is said when the request succeeded, not when the transaction is on the disk',
    file: 'src/offline/outbox/commit.ts',
    from: '      await write();\n',
    to: '      void write().catch(() => undefined);\n',
    caught: campaign('quota', 20),
  },
  {
    bug: 'the change and its entry are two transactions',
    file: 'src/offline/outbox/commit.ts',
    from: 'const changed = change();',
    to: 'const changed = undefined;',
    caught: unit('src/offline/outbox/outbox.test.ts', ''),
  },
  {
    bug: 'something is merged into an entry that was sent already',
    file: 'src/offline/outbox/merge-entry.ts',
    from: "entry.state === 'waiting' && entry.tries === 0",
    to: "entry.state !== 'needs-person'",
    caught: campaign('simulation', 300),
  },
  {
    bug: 'the server does a change again that it knows',
    file: 'server/ledger/apply-once.ts',
    from: '    if (known) {',
    to: '    if (known && known.fingerprint === "") {',
    caught: database('server/features/learning/attempts.pg.test.ts', 'is applied once'),
  },
  {
    bug: 'the same id with other content is taken for the same change',
    file: 'server/ledger/apply-once.ts',
    from: 'if (known && known.fingerprint !== fingerprint) {',
    to: 'if (known && known.fingerprint === "") {',
    caught: database('server/features/learning/attempts.pg.test.ts', ''),
  },
  {
    bug: 'work is taken under whatever session there is',
    file: 'server/http/queued-request.ts',
    from: "if (sent !== undefined && sent !== actor.user.uuid) throw new ProductError('actor_mismatch');",
    to: 'void sent;',
    caught: campaign('session', 18),
  },
  {
    bug: 'the second journal is not written: a lost database is lost work',
    file: 'src/offline/outbox/commit.ts',
    from: 'return ids.length > 0 ? journal',
    to: 'return ids.length < 0 ? journal',
    caught: unit('src/offline/store/open-store.test.ts', 'comes back from the second journal'),
  },
  {
    bug: 'what is sent again after the server forgot it is not journalled again (found here by the simulation)',
    file: 'src/offline/outbox/resend.ts',
    from: "if (log.length > 0) await journalOf(db.personId).append({ kind: 'rows', ids: log.map((w) => String(w.row.id)), rows: log, again: true });",
    to: '',
    caught: unit('src/offline/store/open-store.test.ts', 'waits once more'),
  },
  {
    bug: 'a clock that was set back holds the queue up for as long',
    file: 'src/offline/outbox/choose-sendable.ts',
    from: ' && entry.nextAt - now <= longestPauseMs',
    to: '',
    caught: unit('src/offline/outbox/outbox.test.ts', 'a clock that was set back'),
  },
  {
    bug: 'what waits behind another entry wakes the tablet again and again (found here by a bench)',
    file: 'src/offline/outbox/choose-sendable.ts',
    from: "why === 'time' ? [entry.nextAt] : why === 'dependency' ? [now + lookAgainMs] : []",
    to: 'why ? [entry.nextAt] : [now + lookAgainMs]',
    caught: unit('src/offline/outbox/choose-sendable.test.ts', ''),
  },
  {
    bug: 'a server that was restored from a backup is not noticed',
    file: 'src/offline/check-in.ts',
    from: 'const forgotten = new Set(unknown);',
    to: 'const forgotten = new Set<string>();\n      unknown.length = 0;',
    caught: campaign('integration', 60),
  },
  {
    bug: 'a store that was lost counts time from zero into the old counter (found here by the integration campaign)',
    file: 'src/offline/commands/attempt.ts',
    from: "`${device}${String(canary?.value ?? '').slice(-4)}`",
    to: '`${device}${canary ? "" : ""}`',
    caught: campaign('integration', 60),
  },
  {
    bug: 'a sealed row can be put in another’s place',
    file: 'src/offline/store/sealed-rows.ts',
    from: "const placeOf = (table: string, row: Row) => `${placeName(table)}:${(identity[table] ?? []).map((f) => String(row[f])).join(':')}`;",
    to: 'const placeOf = (table: string, _row: Row) => `${placeName(table)}`;',
    caught: unit('src/offline/store/open-store.test.ts', 'another’s place'),
  },
  {
    bug: 'a counter is read before the transaction that raises it (found here by the partitions campaign)',
    file: 'src/offline/commands/attempt.ts',
    from: "    async () => [\n      {\n        id: newId(),\n        lane: lane(attempt.id),\n        command: 'attempt.progress',\n        args: { topic_id: topic.id, state, percent, seconds: await count() },",
    to: "    await count().then((seconds) => async () => [\n      {\n        id: newId(),\n        lane: lane(attempt.id),\n        command: 'attempt.progress' as const,\n        args: { topic_id: topic.id, state, percent, seconds },",
    caught: unit('src/offline/outbox/outbox.test.ts', 'counts every second'),
  },
  {
    bug: 'of two assessors who decide at once the later one silently wins',
    file: 'server/features/care-certificates/certificates.sql.ts',
    from: "if (counts && counts.id !== instead_of) throw new Refused('decided_elsewhere', ['keep_mine', 'keep_theirs', 'ask_manager']);",
    to: '',
    caught: database('tests/offline/conflicts.pg.test.ts', 'asks which decision counts'),
  },
  {
    bug: 'the place in a package is simply overwritten by the tablet that comes last (scorm-again)',
    file: 'server/features/learning/package-work.sql.ts',
    from: "if (now !== undefined && now !== instead_of) throw new Refused('resume_elsewhere', ['keep_mine', 'keep_theirs']);",
    to: '',
    caught: database('tests/offline/conflicts.pg.test.ts', 'asks where to go on'),
  },
  {
    bug: 'an answered question goes to the end of its lane, behind what was built on it',
    file: 'src/offline/outbox/resolve.ts',
    from: '  await db.outbox.bulkPut(built.map',
    to: '  if (built.length < 0) await db.outbox.bulkPut(built.map',
    caught: database('tests/offline/conflicts.pg.test.ts', 'also what was begun meanwhile'),
  },
];
