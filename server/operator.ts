import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { Email, Name } from '#contract/entities/fields.ts';
import { type ImportKind, type ImportMapping, importKindNames } from '#contract/entities/import.ts';
import { permissions } from '#contract/permissions.ts';
import { readConfig } from '#server/config.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { newLink } from '#server/features/account/links.service.ts';
import { createImporter } from '#server/features/importer/imports.service.ts';
import { importJob } from '#server/features/importer/run-import.ts';
import { mendStandings } from '#server/features/results/standings.rows.ts';
import { openFileStore } from '#server/files/file-store.ts';
import { ProductError } from '#server/product-error.ts';
import { createRecentTotals } from '#server/db/recent-totals.ts';
import { createSessions } from '#server/security/sessions.ts';
import { createJobs } from '#server/jobs/runner.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { backUp, restore } from '#server/operator/backup.ts';
import { checkInspectionFile } from '#server/operator/check-inspection.ts';
import { checkDatabase } from '#server/operator/check-database.ts';

/**
 * `npm run operator -- COMMAND`: server administration from the command line. The embedded database belongs to one process,
 * so stop the server first. The exit code is 0 for success, 1 if the command failed or found a problem, and 2 if it was not
 * understood. With --json the output is one JSON document.
 */
const usage = `npm run operator -- COMMAND

  import KIND FILE --organisation SLUG   import a table: ${importKindNames.join(', ')}
      --mapping FILE   column mapping: {"email": "Work e-mail"} or numbers from 0
      --dry-run        only show the plan               --as EMAIL   in whose name (default: a super administrator)
      --add-only       do not update existing records   --welcome    send welcome e-mails
  create-admin EMAIL --name NAME          create a super administrator, or with --organisation SLUG an administrator of that organisation
  password-link EMAIL                     make a link with which this person chooses a password, where no e-mail can be sent
  migrate                                 bring the schema up to date
  check                                   check the data for inconsistencies, and for background tasks and e-mails that do not get on
  send-mail-again                         send e-mails again that the mail server refused until they were given up
  mend-standings                          recompute stored compliance standings that are wrong
  check-inspection FILE                   check that an inspection pack (ZIP) is as it was frozen; needs no database
      --key KEY        and that it is signed with this key (Ed25519, base64)
  backup FOLDER                           write the database, and files on disk, into a new folder
      --encrypt        encrypt it with a passphrase
  restore FOLDER                          restore it into an empty database, after verifying all of it

  The passphrase is read from --passphrase-file FILE, or from BACKUP_PASSPHRASE.

  --json prints one JSON document. Settings come from the environment, as for the server.`;

class Misunderstood extends Error {}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    organisation: { type: 'string' },
    mapping: { type: 'string' },
    name: { type: 'string' },
    as: { type: 'string' },
    'dry-run': { type: 'boolean' },
    'add-only': { type: 'boolean' },
    welcome: { type: 'boolean' },
    encrypt: { type: 'boolean' },
    'passphrase-file': { type: 'string' },
    key: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const [command = '', ...args] = positionals;
const needed = (value: string | undefined, what: string): string => {
  if (!value) throw new Misunderstood(`${what} is missing.`);
  return value;
};
type Answer = { json: object; words: string; failed?: boolean };

// Files written here, above all backups, must be readable by this account only.
process.umask(0o077);
const config = readConfig({ LOG_LEVEL: 'silent', ...process.env });
const now = () => new Date();
const linkHours = 72;

/** Never from the command line, which every account on the machine can read. */
const passphrase = (): string | undefined => {
  const file = flags['passphrase-file'];
  return file === undefined ? process.env.BACKUP_PASSPHRASE || undefined : readFileSync(file, 'utf8').replace(/\r?\n$/, '');
};
const shortestPassphrase = 12;
const newPassphrase = (): string | undefined => {
  if (!flags.encrypt) {
    if (flags['passphrase-file'] !== undefined) throw new Misunderstood('--passphrase-file requires --encrypt.');
    return undefined;
  }
  const given = passphrase();
  if (given === undefined) throw new Misunderstood('--encrypt needs a passphrase: set BACKUP_PASSPHRASE, or name a file with --passphrase-file.');
  if (given.length < shortestPassphrase) throw new Misunderstood(`The passphrase is too short: it needs at least ${shortestPassphrase} characters.`);
  return given;
};

const idOf = async (db: Db, slug: string): Promise<string> => {
  const entity = await db.one<{ id: string }>(sql`select id from entities where slug = ${slug}`);
  if (!entity) throw new Error(`There is no organisation “${slug}”.`);
  return entity.id;
};

/** Column by name or number. */
const readMapping = (file: string, columns: readonly string[]): ImportMapping => {
  const given = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | number>;
  return Object.fromEntries(
    Object.entries(given).map(([field, column]) => {
      const at = typeof column === 'number' ? column : columns.indexOf(column);
      if (at < 0 || at >= columns.length) throw new Error(`The table has no column “${column}” for ${field}. It has: ${columns.join(', ')}.`);
      return [field, at];
    }),
  );
};

const commands: Record<string, (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<Answer>> = {
  import: async ({ db }) => {
    const kind = needed(args[0], 'KIND') as ImportKind;
    if (!importKindNames.includes(kind)) throw new Misunderstood(`KIND must be one of ${importKindNames.join(', ')}.`);
    const file = needed(args[1], 'FILE');
    const organisation = needed(flags.organisation, '--organisation');
    const sessions = createSessions(db, config, now);
    const who = await db.one<{ id: string }>(
      flags.as
        ? sql`select id from users where lower(email) = ${flags.as.toLowerCase()}`
        : sql`select id from users where super_admin and disabled_at is null order by created_at, id limit 1`,
    );
    const actor = who && (await sessions.actorOf(who.id, '', 'token'));
    if (!actor)
      throw new Error(
        flags.as
          ? `There is nobody with the address ${flags.as}.`
          : 'There is no super administrator. Create one with create-admin, or use --as EMAIL.',
      );
    const log = { error: (...what: unknown[]) => console.error(...what) } as never;
    const services = {
      config,
      db,
      now,
      log,
      sessions,
      peopleTotals: createRecentTotals(),
      secretKey: '',
      files: await openFileStore(config),
      mail: createMailer(config, db, brandOfAddress),
      jobs: createJobs({ db, now, log }),
    };
    const importer = createImporter(services);
    const options = { update_existing: !flags['add-only'], send_welcome_email: flags.welcome ?? false };
    const bytes = readFileSync(file);
    const id = await importer.open({ actor, address: 'operator' }, bytes, { kind, organisation, file_name: basename(file).slice(-200), options });
    const kept = async () => {
      const one = await db.one<{ id: string; columns: string[]; mapping: ImportMapping; state: 'planned' }>(
        sql`select id, columns, mapping, state from imports where id = ${id}`,
      );
      return {
        ...(one as NonNullable<typeof one>),
        kind,
        file_name: basename(file),
        options,
        entity: { id: await idOf(db, organisation), name: organisation, slug: organisation },
      };
    };
    if (flags.mapping) await importer.plan(actor, await kept(), readMapping(flags.mapping, (await kept()).columns), options);
    if (!flags['dry-run']) {
      await importer.start({ actor, address: 'operator' }, await kept());
      // Runs here. A server on the same database may run parts too; each is done once.
      await importJob(services).run({ key: id, signal: new AbortController().signal, progress: async () => {} });
    }
    const rows = await db.all<{ no: number; action: string; name: string; problems: { column: string | null; problem: string; remedy: string }[] }>(
      sql`select no, action, name, problems from import_rows where import_id = ${id} order by no`,
    );
    const { columns, mapping, state } = await kept();
    const counts = Object.fromEntries([...Map.groupBy(rows, (r) => r.action)].map(([action, some]) => [action, some.length]));
    const problems = rows.flatMap((r) => r.problems.map((p) => ({ row: r.no, ...p })));
    return {
      json: { id, kind, state, dry_run: flags['dry-run'] ?? false, columns, mapping, total: rows.length, counts, problems },
      words: [
        `${flags['dry-run'] ? 'Nothing was changed. Planned' : 'Done'}: ${Object.entries(counts)
          .map(([action, n]) => `${action} ${n}`)
          .join(', ')}`,
        ...problems.map((p) => `  row ${p.row}${p.column ? `, ${p.column}` : ''}: ${p.problem} ${p.remedy}`),
      ].join('\n'),
      failed: problems.length > 0,
    };
  },
  'create-admin': async ({ db }) => {
    const email = Email.safeParse(needed(args[0], 'EMAIL'));
    const name = Name.safeParse(needed(flags.name, '--name'));
    if (!email.success) throw new Misunderstood('EMAIL is not an e-mail address.');
    if (!name.success) throw new Misunderstood('--name is too long.');
    const id = randomUUID();
    const link = await db.tx(async (tx) => {
      if (await tx.one(sql`select 1 as one from users where lower(email) = ${email.data}`))
        throw new Error(`${email.data} already belongs to an account.`);
      const place = flags.organisation
        ? await idOf(tx, flags.organisation)
        : (await tx.one<{ id: string }>(sql`select id from entities where parent_id is null order by created_at, id limit 1`))?.id;
      const entityId = place ?? randomUUID();
      if (!place)
        await tx.run(sql`insert into entities (id, name, slug, level, created_at) values (${entityId}, 'Lantern', 'lantern', 'A', ${now()})`);
      const typeId = flags.organisation ? randomUUID() : null;
      if (typeId) {
        await tx.run(sql`insert into types (id, entity_id, name) values (${typeId}, ${entityId}, ${`Administrator (${email.data})`})`);
        await tx.run(sql`insert into type_permissions (type_id, permission_id) select ${typeId}, unnest(${permissions.map((p) => p.id)}::int[])`);
      }
      await tx.run(sql`insert into users (id, name, email, email_verified_at, super_admin, primary_entity_id, type_id, started_on, created_at)
        values (${id}, ${name.data}, ${email.data}, ${now()}, ${!flags.organisation}, ${entityId}, ${typeId}, ${dayIn(now(), defaultTimeZone)}, ${now()})`);
      const token = await newLink(tx, { id, email: email.data }, { purpose: 'reset_password', hours: linkHours, now: now() });
      return `${config.PUBLIC_URL}/reset-password/${token}`;
    });
    return { json: { id, email: email.data, link }, words: `${name.data} can set a password within ${linkHours} hours at\n${link}` };
  },
  'password-link': async ({ db }) => {
    const email = Email.safeParse(needed(args[0], 'EMAIL'));
    if (!email.success) throw new Misunderstood('EMAIL is not an e-mail address.');
    const { name, link } = await db.tx(async (tx) => {
      const person = await tx.one<{ id: string; name: string; email: string }>(
        sql`select id, name, email from users where lower(email) = lower(${email.data}) and disabled_at is null`,
      );
      if (!person) throw new Error(`Nobody has the address ${email.data}.`);
      const token = await newLink(tx, person, { purpose: 'reset_password', hours: linkHours, now: now() });
      return { name: person.name, link: `${config.PUBLIC_URL}/reset-password/${token}` };
    });
    return { json: { email: email.data, link }, words: `${name} can set a password within ${linkHours} hours at\n${link}` };
  },
  migrate: async ({ pool }) => {
    const done = await migrate(pool);
    return { json: { migrations: done }, words: done.length === 0 ? 'The schema is up to date.' : `Done: ${done.join(', ')}` };
  },
  'send-mail-again': async ({ db }) => {
    const mail = createMailer(config, db, brandOfAddress);
    const again = await mail.sendAgain();
    const { failing } = await mail.unsent();
    return {
      json: { again, failing },
      words: again === 0 ? 'No e-mail was given up.' : `${again} ${again === 1 ? 'e-mail is' : 'e-mails are'} sent again by the server, from now on.`,
    };
  },
  'mend-standings': async ({ db }) => {
    const mended = await mendStandings(db);
    return { json: { mended }, words: mended === 0 ? 'Nothing was wrong.' : `Recalculated for ${mended} ${mended === 1 ? 'person' : 'people'}.` };
  },
  check: async ({ db, kind }) => {
    const { checks, findings } = await checkDatabase(
      db,
      await openFileStore(config),
      kind === 'postgres',
      config.SMTP_URL !== undefined || config.NODE_ENV !== 'production',
    );
    return {
      json: { checks, findings },
      words: [...checks.map((c) => `${findings.some((f) => f.check === c) ? '!' : ' '} ${c}`), ...findings.map((f) => `  ${f.problem}`)].join('\n'),
      failed: findings.length > 0,
    };
  },
  backup: async ({ db }) => {
    const to = needed(args[0], 'FOLDER');
    const done = await backUp(db, to, { dataFolder: config.DATA_DIR, filesOnDisk: !config.FILES_URL, now: now(), passphrase: newPassphrase() });
    return {
      json: { folder: to, ...done },
      words: [
        `${done.rows} rows were written to ${to}${done.files === null ? '' : `, with ${done.files} files`}. ${done.encrypted ? 'It is encrypted and cannot be opened without the passphrase.' : 'It is not encrypted: protect it as you protect the database.'}`,
        ...(done.files === null ? ['Files are stored elsewhere: back them up there.'] : []),
        ...done.damaged.map(
          (file) => `${file} is damaged in ${config.DATA_DIR}: the backup contains the damaged file. Look for an intact copy in an older backup.`,
        ),
      ].join('\n'),
      failed: done.damaged.length > 0,
    };
  },
  restore: async (database) => {
    const from = needed(args[0], 'FOLDER');
    const done = await restore(database, from, { files: await openFileStore(config), passphrase: passphrase() });
    return {
      json: done,
      words: [`${done.rows} rows were restored${done.files === null ? '' : `, with ${done.files} files`}.`, ...done.warnings].join('\n'),
    };
  },
};

/** Those that need no database. */
const alone: Record<string, () => Promise<Answer>> = {
  'check-inspection': async () => {
    const { verdict: found, key } = await checkInspectionFile(readFileSync(needed(args[0], 'FILE')));
    const other = flags.key !== undefined && key !== flags.key;
    const verdict = found.kind !== 'changed' && other ? { kind: 'changed' as const, what: `It is signed with another key: ${key}.` } : found;
    return {
      json: { ...verdict, key },
      words:
        verdict.kind === 'changed'
          ? `CHANGED: ${verdict.what}`
          : `Unchanged: “${verdict.manifest.name}” of ${verdict.manifest.organisation}, frozen ${verdict.manifest.frozen_at} by ${verdict.manifest.frozen_by}, ${verdict.manifest.files.length} files.\nSigned with the key ${key}.`,
      failed: verdict.kind === 'changed',
    };
  },
};

const main = async (): Promise<number> => {
  const run = commands[command];
  const runAlone = alone[command];
  if (runAlone && !flags.help) {
    const { json, words, failed } = await runAlone();
    console.log(flags.json ? JSON.stringify(json, null, 1) : words);
    return failed ? 1 : 0;
  }
  if (flags.help || !run) {
    console.log(usage);
    return flags.help ? 0 : 2;
  }
  const database = await openDatabase(config);
  try {
    if (command !== 'restore') await migrate(database.pool);
    const { json, words, failed } = await run(database);
    console.log(flags.json ? JSON.stringify(json, null, 1) : words);
    return failed ? 1 : 0;
  } finally {
    await database.close();
  }
};

void main()
  .catch((error: Error) => {
    const fields = error instanceof ProductError ? Object.values(error.fields ?? {}).flat() : [];
    const message = fields[0] ?? error.message;
    if (flags.json) console.log(JSON.stringify({ error: message }, null, 1));
    else console.error(error instanceof Misunderstood ? `${message}\n\n${usage}` : message);
    return error instanceof Misunderstood ? 2 : 1;
  })
  .then((code) => process.exit(code));
