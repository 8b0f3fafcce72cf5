/** Import rules with their reasons; documented in docs/architecture.md. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const feature = '^src/features/([^/]+)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule(
      'no-circular',
      'A circle cannot be understood, tested or loaded in parts.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    rule(
      'contract-stands-alone',
      'Both sides agree on the contract: it may know neither.',
      { path: '^contract/' },
      { pathNot: '^(contract/|node_modules/(zod|@noble/ciphers|ical-generator)/)' },
    ),
    rule(
      'lib-knows-no-business',
      'lib is tiny browser helpers.',
      { path: '^src/lib/' },
      { pathNot: '^(src/lib/|contract/|node_modules/(@types/)?react)' },
    ),
    rule(
      'ui-knows-no-data',
      'Our components show what they are given.',
      { path: '^src/ui/' },
      { path: '^(src/(?!ui/|lib/)|server/|sw/|node_modules/(dexie|@apollo))' },
    ),
    rule(
      'api-knows-contract-only',
      'The callers are typed by the contract and know no screen and no store.',
      { path: '^src/api/' },
      { path: '^(src/(?!api/)|server/|sw/|node_modules/(react|@mantine|dexie))' },
    ),
    rule(
      'offline-runs-in-a-worker',
      'The offline core runs in the page and in the worker: no React, no screen, not even through another module.',
      { path: '^src/offline/' },
      { path: '^(src/(?!offline/|api/transport|lib/format)|server/|node_modules/(react|react-dom|@mantine|@apollo)/)', reachable: true },
    ),
    rule(
      'access-below-screens',
      'Access is used by every screen and may know none.',
      { path: '^src/access/' },
      { path: '^src/(features|app|device)/' },
    ),
    rule(
      'device-below-screens',
      'The hooks over store and engine are used by every screen and may know none.',
      { path: '^src/device/' },
      { path: '^src/(features|app|ui)/' },
    ),
    rule(
      'screens-below-features',
      'The kit of screens is used by every feature and may know none.',
      { path: '^src/screens/' },
      { path: '^src/(features|app)/' },
    ),
    rule(
      'authors-kit-for-authors',
      'What authors write with is loaded by nobody else.',
      { path: '^src/', pathNot: '^src/(screens/authoring|features/content-(creator|designer))/' },
      { path: '^src/screens/authoring/' },
    ),
    rule(
      'nothing-below-screens-reads-online',
      'What works without a connection does not wait for the library of online reads.',
      { path: '^src/(lib|ui|api|offline|access|device)/' },
      { path: '^(src/screens/|node_modules/@tanstack/)' },
    ),
    rule(
      'features-are-strangers',
      'A feature never imports another: what two need belongs below them.',
      { path: feature },
      { path: '^src/features/', pathNot: '^src/features/$1/' },
    ),
    rule('features-below-the-app', 'The app is built from features, not the other way round.', { path: '^src/features/' }, { path: '^src/app/' }),
    rule(
      'features-write-through-offline',
      'Screens never open a database or send a bare request.',
      { path: '^src/features/' },
      { path: '^node_modules/dexie/' },
    ),
    rule(
      'app-sees-the-front-of-features',
      'Of a feature the app sees feature.tsx (routes) and shell.tsx (parts of the shell).',
      { path: '^src/app/' },
      { path: '^src/features/', pathNot: '^src/features/[^/]+/(feature|shell)\\.tsx$' },
    ),
    rule(
      'player-knows-contract-only',
      'What runs beside other people’s code has nothing of the app.',
      { path: '^player/' },
      { path: '^(src/|server/|sw/)' },
    ),
    rule(
      'worker-is-wake-up-only',
      'A worker uses the offline core, never a screen.',
      { path: '^sw/' },
      { path: '^(src/(?!offline/|api/transport)|server/)' },
    ),
    rule(
      'pictures-in-processes',
      'A picture is decoded in a process that can be ended: in the server itself it would hold up every read of a file.',
      { path: '^server/', pathNot: '^server/(pictures/decode|workers/picture-process)\\.ts$' },
      { path: '^(server/pictures/|node_modules/sharp/)', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'server-features-meet-in-services',
      'What a feature needs of another is what it does (a service) or what it has stored (rows); how it is asked and answered is its own.',
      { path: '^server/features/([^/]+)/' },
      { path: '^server/features/', pathNot: '^server/features/($1/|[^/]+/[^/]+\\.(service|rows)\\.ts$)' },
    ),
    rule(
      'handlers-hold-no-sql',
      'A handler or a resolver reads the request and answers; what is stored and found stands in services and rows.',
      { path: '^server/features/.+\\.(rest|graph)\\.ts$' },
      { path: '^server/db/sql\\.ts$' },
    ),
    rule(
      'services-know-no-requests',
      'Services are called by handlers, the graph, the importer and jobs: how a call is read and answered is not theirs.',
      { path: '^server/features/.+\\.(service|rows)\\.ts$' },
      { path: '^server/http/' },
    ),
    rule(
      'server-ground-knows-no-feature',
      'Requests, statements, files, the ledger and the report engine are used by every feature and may know none. The demo data uses them all.',
      { path: '^server/(http|security|db|mail|files|archives|ledger|jobs|reports|pdf|graphql)/', pathNot: '^server/db/demo/' },
      { path: '^server/features/' },
    ),
    rule('server-never-imports-client', 'The server is the other side.', { path: '^server/' }, { path: '^(src|sw)/' }),
    rule('client-never-imports-server', 'The client is the other side.', { path: '^(src|sw)/' }, { path: '^server/' }),
    rule(
      'only-the-outbox-writes-the-outbox',
      'All writes go through commit(): the engine takes entries out, nobody else touches them.',
      { path: '^src/(features|app|device|access)/' },
      { path: '^src/offline/outbox/(dexie-store|merge-entry|upgrade)' },
    ),
    rule('no-unresolved', 'An import that leads nowhere.', {}, { couldNotResolve: true, pathNot: '^(virtual:|@graphql-typed-document-node)' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.tsx?$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  },
};
