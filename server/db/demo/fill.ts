import { writeDrafts } from '#server/db/demo/drafts.ts';
import { addDays, addMonthsToDay, dayIn, defaultTimeZone, endOfDay } from '#contract/rules/days.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import type { ObservationRecord } from '#contract/entities/care-certificate.ts';
import { careStandards2025 } from '#server/features/care-certificates/standards/seed-standards.ts';
import { readdirSync, readFileSync } from 'node:fs';
import type { AnswerKey, ContentDocument, H5pBlock, Media, Topic } from '#contract/entities/content.ts';
import type { H5pManifest, ScormManifest } from '#contract/entities/package.ts';
import type { PackageTree } from '#contract/entities/package-tree.ts';
import { permissions } from '#contract/permissions.ts';
import { blockOf, type DemoCourse, demoId, questionOf } from '#server/db/demo/authoring.ts';
import { fillBrightpath } from '#server/db/demo/brightpath.ts';
import { fireSafety } from '#server/db/demo/courses/fire-safety.ts';
import { infectionControl } from '#server/db/demo/courses/infection-control.ts';
import { safeguardingAdults } from '#server/db/demo/courses/safeguarding-adults.ts';
import { fillWithComplianceMonths } from '#server/db/demo/compliance-months.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { type DemoPerson, demoPeople } from '#server/db/demo/people.ts';
import { fillWithOrders } from '#server/db/demo/orders.ts';
import { fillWithResults } from '#server/db/demo/results.ts';
import { spillCard } from '#server/db/demo/spill-card.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { readH5pPackage } from '#server/features/packages/h5p-package.ts';
import { type KeptTree, writeTree } from '#server/features/packages/package-trees.ts';
import { manifestFile, readScormManifest } from '#server/features/packages/scorm-manifest.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { hashPassword } from '#server/security/passwords.ts';

/** A care group that a visitor recognises: organisations, people, courses, results. Dates are relative to `now`. */

const mediaTypes: Record<string, string> = {
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  mp3: 'audio/mpeg',
  vtt: 'text/vtt; charset=utf-8',
  pdf: 'application/pdf',
};
const day = 86_400_000;

const entities = {
  lantern: { name: 'Lantern', slug: 'lantern', level: 'A', parent: null },
  group: { name: 'Willowbrook Care Group', slug: 'willowbrook', level: 'A', parent: null },
  home: { name: 'Willowbrook House', slug: 'willowbrook-house', level: 'B', parent: 'group' },
  branch: { name: 'Willowbrook Home Care', slug: 'willowbrook-home-care', level: 'B', parent: 'group' },
  brightpath: { name: 'Brightpath Training', slug: 'brightpath', level: 'A', parent: null },
  harbour: { name: 'Harbour View', slug: 'harbour-view', level: 'A', parent: null },
} as const;
type EntityKey = keyof typeof entities;

/** Title, months until renewal, who must do it (role keys or all), delivery. The three with a key can be taken in the demo. */
const courses: {
  title: string;
  short: string;
  months: number | null;
  roles: string[] | 'all';
  delivery: 'elearning' | 'face2face';
  key?: string;
  /** The folder of its SCORM package, and its topic. */
  scorm?: { folder: string; aims: string };
  secondary?: true;
}[] = [
  {
    title: 'Infection prevention and control',
    short: 'Infection control',
    months: 12,
    roles: 'all',
    delivery: 'elearning',
    key: 'infection-control',
  },
  { title: 'Fire safety', short: 'Fire safety', months: 12, roles: 'all', delivery: 'elearning', key: 'fire-safety' },
  { title: 'Safeguarding adults', short: 'Safeguarding', months: 24, roles: 'all', delivery: 'elearning', key: 'safeguarding-adults' },
  { title: 'Health and safety awareness', short: 'Health and safety', months: 36, roles: 'all', delivery: 'face2face' },
  { title: 'Moving and handling objects', short: 'Moving objects', months: 36, roles: 'all', delivery: 'face2face' },
  { title: 'Moving and assisting people', short: 'Moving people', months: 12, roles: ['care', 'senior', 'nurse'], delivery: 'face2face' },
  { title: 'Safeguarding children', short: 'Children', months: 24, roles: ['care', 'senior', 'nurse', 'manager'], delivery: 'face2face' },
  { title: 'Learning disability and autism', short: 'LD and autism', months: 36, roles: 'all', delivery: 'face2face' },
  { title: 'Basic life support', short: 'Life support', months: 12, roles: ['care', 'senior', 'nurse', 'manager'], delivery: 'face2face' },
  { title: 'Emergency first aid at work', short: 'First aid', months: 36, roles: ['senior', 'manager'], delivery: 'face2face' },
  { title: 'Medication administration', short: 'Medication', months: 12, roles: ['senior', 'nurse'], delivery: 'face2face' },
  { title: 'Food hygiene', short: 'Food hygiene', months: 36, roles: ['cook', 'care', 'senior'], delivery: 'face2face' },
  { title: 'Mental capacity and DoLS', short: 'Mental capacity', months: 24, roles: ['care', 'senior', 'nurse', 'manager'], delivery: 'face2face' },
  { title: 'Equality, diversity and human rights', short: 'Equality', months: 36, roles: 'all', delivery: 'face2face' },
  {
    title: 'Data protection',
    short: 'Data protection',
    months: 12,
    roles: 'all',
    delivery: 'elearning',
    scorm: { folder: 'data-protection', aims: 'What may be known, by whom, and what to do when it has gone wrong.' },
  },
  { title: 'Dementia awareness', short: 'Dementia', months: 36, roles: ['care', 'senior', 'nurse'], delivery: 'face2face', secondary: true },
  { title: 'Person-centred care', short: 'Person-centred', months: 36, roles: ['care', 'senior', 'nurse'], delivery: 'face2face', secondary: true },
  {
    title: 'Nutrition and hydration',
    short: 'Nutrition',
    months: 36,
    roles: ['care', 'senior', 'nurse', 'cook'],
    delivery: 'elearning',
    scorm: { folder: 'nutrition', aims: 'To notice who eats and drinks too little, and what helps at the table.' },
    secondary: true,
  },
  { title: 'Oral health', short: 'Oral health', months: 36, roles: ['care', 'senior', 'nurse'], delivery: 'face2face', secondary: true },
  {
    title: 'Recording and reporting',
    short: 'Recording',
    months: 36,
    roles: ['care', 'senior', 'nurse', 'manager'],
    delivery: 'face2face',
    secondary: true,
  },
  { title: 'Communication', short: 'Communication', months: 36, roles: ['care', 'senior'], delivery: 'face2face', secondary: true },
  { title: 'Positive behaviour support', short: 'Behaviour', months: 12, roles: ['senior', 'nurse'], delivery: 'face2face', secondary: true },
  { title: 'COSHH', short: 'COSHH', months: 24, roles: ['domestic', 'cook'], delivery: 'face2face' },
  { title: 'Lone working', short: 'Lone working', months: 24, roles: ['manager'], delivery: 'face2face', secondary: true },
];
const roleNames: Record<string, string> = {
  care: 'Care assistant',
  senior: 'Senior carer',
  nurse: 'Registered nurse',
  manager: 'Registered manager',
  cook: 'Cook',
  domestic: 'Domestic assistant',
  office: 'Office',
};

const typePermissions: Record<string, number[]> = {
  learner: [6, 44, 80, 127, 39, 104, 108],
  trainer: [6, 44, 80, 127, 39, 21, 24, 86, 88, 89, 90, 108, 128],
  manager: [
    4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 21, 24, 25, 26, 35, 36, 39, 40, 44, 47, 49, 50, 53, 56, 79, 80, 86, 87, 88, 89, 90, 93, 105, 108, 118, 127,
  ],
  administrator: permissions.map((p) => p.id).filter((id) => id !== 133),
};
const typeNames: Record<string, string> = { learner: 'Learner', trainer: 'Trainer', manager: 'Manager', administrator: 'Administrator' };

const documentOf = (
  course: DemoCourse,
  courseRow: { id: string; title: string; short: string },
  media: (name: string) => Media,
  activity: (folder: string) => H5pBlock['package'],
): { document: ContentDocument; keys: Record<string, AnswerKey> } => {
  const keys: Record<string, AnswerKey> = {};
  const document: ContentDocument = {
    id: demoId(`content:${course.key}`),
    version: 1,
    title: courseRow.title,
    type: 'elearning',
    course: { id: courseRow.id, title: courseRow.title, short_title: courseRow.short },
    aims: course.aims,
    outcomes: course.outcomes,
    image: media(course.image),
    estimated_duration: course.minutes,
    cpd_accredited: course.cpd,
    accepts_late_progress: true,
    prerequisites: [],
    lessons: course.lessons.map((lesson, l) => {
      let parent: string | null = null;
      const topics: Topic[] = lesson.topics.map((topic, t) => {
        const id = demoId(`topic:${course.key}:${l}:${t}`);
        const made: Topic = {
          id,
          title: topic.title,
          hidden: topic.hidden ?? false,
          skippable: topic.skippable ?? false,
          is_child: topic.child ?? false,
          parent_id: topic.child ? parent : null,
          blocks: topic.blocks.map((b) => blockOf(b, media, activity)),
        };
        if (!topic.child) parent = id;
        return made;
      });
      return { id: demoId(`lesson:${course.key}:${l}`), title: lesson.title, question_qty: 0, topics };
    }),
    quizzes: course.quizzes.map((quiz, z) => ({
      id: demoId(`quiz:${course.key}:${z}`),
      title: quiz.title,
      is_randomized: quiz.randomized,
      question_qty: quiz.quantity,
      pass_percent: quiz.pass,
      max_tries: quiz.tries,
      questions: quiz.questions.map((q, i) => {
        const made = questionOf(demoId(`question:${course.key}:${z}:${i}`), q);
        keys[made.question.id] = made.key;
        return made.question;
      }),
    })),
  };
  return { document, keys };
};

/** An H5P activity of the demo with its libraries, stored as an uploaded package. */
const keepActivity = async (store: FileStore, folder: URL, libraries: URL): Promise<KeptTree & { manifest: H5pManifest }> => {
  const contents = new Map<string, Buffer>();
  const take = (from: URL, at: string) => {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      if (entry.isDirectory()) take(new URL(`${entry.name}/`, from), `${at}${entry.name}/`);
      else contents.set(`${at}${entry.name}`, readFileSync(new URL(entry.name, from)));
    }
  };
  take(folder, '');
  const { preloadedDependencies } = JSON.parse(String(contents.get('h5p.json'))) as {
    preloadedDependencies: { machineName: string; majorVersion: number; minorVersion: number }[];
  };
  for (const { machineName, majorVersion, minorVersion } of preloadedDependencies) {
    const name = `${machineName}-${majorVersion}.${minorVersion}/`;
    take(new URL(name, libraries), name);
  }
  const { manifest } = await readH5pPackage({
    files: new Map([...contents.keys()].map((path) => [path, { path }])),
    read: async ({ path }) => contents.get(path) as Buffer,
  });
  const files: PackageTree['files'] = {};
  for (const [path, bytes] of contents) files[path] = [await store.put(bytes), bytes.length];
  return { ...(await writeTree(store, files)), manifest };
};

/** A folder of the demo, stored as an uploaded package. */
const keepPackage = async (store: FileStore, folder: URL) => {
  const files: PackageTree['files'] = {};
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(new URL(name, folder));
    files[name] = [await store.put(bytes), bytes.length];
  }
  const { manifest } = readScormManifest(readFileSync(new URL(manifestFile, folder)), new Set(Object.keys(files)));
  return { ...(await writeTree(store, files)), manifest };
};

/** A number from 0 up to 1 that is always the same for the same text. */
const chance = (text: string) => Number.parseInt(demoId(`chance:${text}`).slice(0, 8), 16) / 0x1_0000_0000;

export const fillWithDemoData = async (db: Db, files: FileStore, now: Date): Promise<void> => {
  const folder = new URL('./media/', import.meta.url);
  const bytes = new Map<string, Buffer>(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]));
  bytes.set('spill-card.pdf', await spillCard());
  const media = new Map<string, Media>();
  for (const [name, content] of bytes) {
    const ending = name.split('.').at(-1) as string;
    const hash = await files.put(content);
    media.set(name, { hash, url: `/api/media/${hash}.${ending}`, type: mediaTypes[ending] as string, bytes: content.length });
  }
  const mediaOf = (name: string) => {
    const found = media.get(name);
    if (!found) throw new Error(`The demo has no file ${name}`);
    return found;
  };
  const packages = new Map<string, KeptTree & { manifest: ScormManifest }>();
  for (const { scorm } of courses)
    if (scorm) packages.set(scorm.folder, await keepPackage(files, new URL(`./packages/${scorm.folder}/`, import.meta.url)));
  const h5pFolder = new URL('./packages/h5p/', import.meta.url);
  const activities = new Map<string, Awaited<ReturnType<typeof keepActivity>>>();
  for (const name of readdirSync(h5pFolder))
    if (name !== 'libraries') activities.set(name, await keepActivity(files, new URL(`${name}/`, h5pFolder), new URL('libraries/', h5pFolder)));
  const activityOf = (name: string): H5pBlock['package'] => {
    const found = activities.get(name);
    if (!found) throw new Error(`The demo has no activity ${name}`);
    const { tree, bytes: size, files: count, manifest } = found;
    const { main_library, licence, authors, source } = manifest;
    return { id: demoId(`package:h5p:${name}`), tree, bytes: size, files: count, main_library, licence, authors, source };
  };
  const password = await hashPassword(demoPassword);

  await db.tx(async (tx) => {
    const entityId = (key: EntityKey) => demoId(`entity:${key}`);
    const roleId = (key: string, group: EntityKey) => demoId(`role:${group}:${key}`);
    const typeId = (key: string, group: EntityKey) => demoId(`type:${group}:${key}`);
    for (const m of media.values())
      await tx.run(sql`insert into media (hash, name, type, bytes) values (${m.hash}, ${m.url.split('/').at(-1) ?? null}, ${m.type}, ${m.bytes})`);
    for (const [key, e] of Object.entries(entities)) {
      await tx.run(sql`insert into entities (id, name, slug, level, parent_id, email, is_training_company, can_see_new_dashboards)
        values (${entityId(key as EntityKey)}, ${e.name}, ${e.slug}, ${e.level}, ${e.parent ? entityId(e.parent) : null}, ${`hello@${e.slug}.test`}, ${key === 'brightpath'}, ${key === 'group' || key === 'home'})`);
    }
    const brands: [EntityKey, object][] = [
      [
        'group',
        {
          companyName: 'Willowbrook Care Group',
          primary: '#0b7a75',
          accent: '#d96c4f',
          entityAltName: 'Service',
          entitiesAltName: 'Services',
        },
      ],
      [
        'harbour',
        {
          companyName: 'Harbour View',
          primary: '#2b4c8c',
          accent: '#c2557a',
          primaryComplianceAltName: 'Must do',
        },
      ],
    ];
    for (const [key, brand] of brands)
      await tx.run(
        sql`insert into whitelabels (entity_id, subdomain, document) values (${entityId(key)}, ${entities[key].slug}, ${JSON.stringify(brand)})`,
      );
    for (const group of ['lantern', 'group', 'brightpath', 'harbour'] as const) {
      for (const [key, name] of Object.entries(roleNames))
        await tx.run(sql`insert into roles (id, entity_id, name) values (${roleId(key, group)}, ${entityId(group)}, ${name})`);
      for (const [key, name] of Object.entries(typeNames)) {
        await tx.run(sql`insert into types (id, entity_id, name) values (${typeId(key, group)}, ${entityId(group)}, ${name})`);
        await tx.run(
          sql`insert into type_permissions (type_id, permission_id) select ${typeId(key, group)}, unnest(${typePermissions[key] ?? []}::int[])`,
        );
      }
    }
    const addPerson = async (p: DemoPerson, group: EntityKey, entity: EntityKey, more: { superAdmin?: boolean } = {}) => {
      const email =
        p.email ??
        `${p.name
          .normalize('NFKD')
          .replace(/[^\w -]/g, '')
          .toLowerCase()
          .replace(/[ -]+/g, '.')}@${entities[group].slug}.test`;
      const started = new Date(
        now.getTime() - (p.email === 'learner@willowbrook.test' ? 420 : 30 + Math.floor(chance(`start:${p.name}`) * 1500)) * day,
      );
      await tx.run(sql`insert into users (id, name, email, password_hash, email_verified_at, super_admin, is_trainer, primary_entity_id, role_id, type_id, started_on)
        values (${demoId(`user:${email}`)}, ${p.name}, ${email}, ${password}, ${now}, ${more.superAdmin ?? false}, ${p.type === 'trainer'}, ${entityId(entity)}, ${roleId(p.role, group)}, ${typeId(p.type ?? 'learner', group)}, ${started.toISOString().slice(0, 10)})`);
      return demoId(`user:${email}`);
    };
    const everybody: { id: string; person: DemoPerson }[] = [];
    for (const person of demoPeople) everybody.push({ id: await addPerson(person, 'group', person.place), person });
    // People without a demo account signed in over the last weeks, mostly around shift changes.
    for (const { id, person } of everybody.filter(({ person: p }) => !p.email))
      for (let back = 0; back < 28; back++) {
        const luck = chance(`sign-in:${person.name}:${back}`);
        const shift = new Date(now.getTime() - back * day).toISOString().slice(0, 11) + (luck < 0.15 ? '07:' : '19:');
        const at = new Date(`${shift}${String(Math.floor(luck * 190)).padStart(2, '0')}:00Z`);
        if (luck < 0.3 && at < now)
          await tx.run(
            sql`insert into auth_events (user_id, at, kind, way, device, address) values (${id}, ${at}, 'signed_in', 'password', 'Chrome on Android', '')`,
          );
      }
    await addPerson(
      { name: 'Sam Whitfield', role: 'office', place: 'group', email: 'super@lantern.test', type: 'administrator' },
      'lantern',
      'lantern',
      { superAdmin: true },
    );
    await addPerson(
      { name: 'Joanna Clarke', role: 'office', place: 'group', email: 'admin@brightpath.test', type: 'administrator' },
      'brightpath',
      'brightpath',
    );
    const callum = await addPerson({ name: 'Callum Reid', role: 'care', place: 'group', email: 'learner@harbourview.test' }, 'harbour', 'harbour');

    for (const [name, { tree, bytes: size, files: count, manifest }] of activities) {
      await tx.run(sql`insert into packages (id, tree, kind, manifest, warnings, bytes, files, entity_id, created_at)
        values (${demoId(`package:h5p:${name}`)}, ${tree}, 'h5p', ${JSON.stringify(manifest)}, '[]', ${size}, ${count}, ${entityId('group')}, ${now})`);
      await tx.run(sql`insert into h5ps (id, title, package_id, entity_id, created_at, updated_at)
        values (${demoId(`h5p:${name}`)}, ${manifest.title}, ${demoId(`package:h5p:${name}`)}, ${entityId('group')}, ${now}, ${now})`);
      await tx.run(sql`insert into h5p_versions (h5p_id, no, package_id, entity_id, at)
        values (${demoId(`h5p:${name}`)}, 1, ${demoId(`package:h5p:${name}`)}, ${entityId('group')}, ${now})`);
    }
    const taught = new Map([infectionControl, fireSafety, safeguardingAdults].map((c) => [c.key, c]));
    const courseIds = new Map<string, string>();
    for (const c of courses) {
      const id = demoId(`course:${c.title}`);
      courseIds.set(c.title, id);
      await tx.run(
        sql`insert into courses (id, title, short_title, renewal_months, entity_id, delivery) values (${id}, ${c.title}, ${c.short}, ${c.months}, ${entityId('lantern')}, ${c.delivery})`,
      );
      for (const group of ['group', 'harbour', 'brightpath'] as const)
        await tx.run(sql`insert into entity_courses (entity_id, course_id) values (${entityId(group)}, ${id})`);
      const contentId = demoId(`content:${c.key ?? c.title}`);
      await tx.run(
        sql`insert into contents (id, course_id, type, title, entity_id) values (${contentId}, ${id}, ${c.scorm ? 'scorm' : c.delivery}, ${c.title}, ${entityId('lantern')})`,
      );
      const course = c.key ? taught.get(c.key) : undefined;
      if (course) {
        const { document, keys } = documentOf(course, { id, title: c.title, short: c.short }, mediaOf, activityOf);
        await tx.run(
          sql`insert into content_versions (content_id, version, document, answer_keys, published_at) values (${contentId}, 1, ${JSON.stringify(document)}, ${JSON.stringify(keys)}, ${now})`,
        );
      }
      const pack = c.scorm && packages.get(c.scorm.folder);
      if (c.scorm && pack) {
        const { tree, bytes: size, files: count, manifest } = pack;
        const packageId = demoId(`package:${c.scorm.folder}`);
        await tx.run(sql`insert into packages (id, tree, kind, manifest, warnings, bytes, files, entity_id, created_at)
          values (${packageId}, ${tree}, 'scorm', ${JSON.stringify(manifest)}, '[]', ${size}, ${count}, ${entityId('lantern')}, ${now})`);
        const document: ContentDocument = {
          id: contentId,
          version: 1,
          title: c.title,
          type: 'scorm',
          package: { id: packageId, tree, bytes: size, files: count, manifest },
          course: { id, title: c.title, short_title: c.short },
          aims: c.scorm.aims,
          outcomes: [],
          image: null,
          estimated_duration: 15,
          cpd_accredited: false,
          accepts_late_progress: true,
          lessons: [],
          quizzes: [],
          prerequisites: [],
        };
        await tx.run(
          sql`insert into content_versions (content_id, version, document, answer_keys, published_at) values (${contentId}, 1, ${JSON.stringify(document)}, '{}', ${now})`,
        );
      }
      await tx.run(sql`select take_content_apart(${contentId})`);
      for (const group of ['group', 'harbour'] as const) {
        for (const role of c.roles === 'all' ? Object.keys(roleNames).filter((r) => r !== 'office') : c.roles) {
          await tx.run(
            sql`insert into compliance (id, role_id, course_id, type) values (${demoId(`compliance:${group}:${role}:${c.title}`)}, ${roleId(role, group)}, ${id}, ${c.secondary ? 'secondary' : 'primary'})`,
          );
        }
      }
    }
    // Results: most in date, some about to expire, some out of date, some missing. Amara's are listed below.
    for (const { id: userId, person } of everybody) {
      for (const c of courses) {
        const required = c.roles === 'all' ? person.role !== 'office' : c.roles.includes(person.role);
        if (!required || c.months === null) continue;
        const months = c.months;
        const luck = chance(`${person.name}:${c.title}`);
        const isAmara = person.email === 'learner@willowbrook.test';
        if (isAmara ? c.key === 'infection-control' : luck < 0.05) continue;
        const ofAmara: Record<string, number> = { 'fire-safety': months * 30.4 + 20, 'safeguarding-adults': months * 30.4 - 24 };
        const chosen = isAmara && c.key ? ofAmara[c.key] : undefined;
        const age = chosen ?? (luck < 0.1 ? 1.03 + luck : luck < 0.22 ? 0.96 : luck * 0.85) * months * 30.4;
        const completed = new Date(now.getTime() - age * day);
        const expires = endOfDay(addMonthsToDay(dayIn(completed, defaultTimeZone), months), defaultTimeZone);
        await tx.run(sql`insert into results (id, user_id, course_id, content_id, type, origin, completed_at, expires_at, score)
          values (${demoId(`result:${userId}:${c.title}`)}, ${userId}, ${courseIds.get(c.title) ?? null}, ${demoId(`content:${c.key ?? c.title}`)}, ${c.delivery}, 'import', ${completed}, ${expires}, ${c.delivery === 'elearning' ? 70 + Math.floor(luck * 31) : null})`);
      }
    }
    await tx.run(
      sql`insert into results (id, user_id, course_id, content_id, type, completed_at, expires_at, score) values (${demoId('result:callum')}, ${callum}, ${courseIds.get('Fire safety') ?? null}, ${demoId('content:fire-safety')}, 'elearning', ${new Date(now.getTime() - 60 * day)}, ${new Date(now.getTime() + 305 * day)}, 90)`,
    );
    await fillWithResults(tx, now);
    await fillWithComplianceMonths(tx, now);
    await fillWithOrders(tx, now);
    // Care certificates in progress: one begun, one half done, one waiting for approval, one approved.
    const trainer = demoId('user:trainer@willowbrook.test');
    const criteria = careStandards2025.standards.map((s) => s.outcomes.flatMap((o) => o.criteria));
    // How many standards are met, whether it is approved, and how many days ago the last entry was made.
    const certificates: [string, number, boolean, number][] = [
      ['megan.davies@willowbrook.test', 3, false, 24],
      ['daniel.osei@willowbrook.test', 9, false, 3],
      ['rhys.evans@willowbrook.test', 16, false, 12],
      ['sophie.turner@willowbrook.test', 16, true, 30],
    ];
    for (const [email, standards, approved, quiet] of certificates) {
      const certificateId = demoId(`certificate:${email}`);
      const begun = now.getTime() - (standards * 5 + quiet) * day;
      const moment = (n: number) => new Date(begun + n * 5 * day);
      await tx.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at, rev, met_at, approved_at)
        values (${certificateId}, ${demoId(`user:${email}`)}, ${demoId('user:manager@willowbrook.test')}, ${new Date(begun)}, ${standards}, ${standards === 16 ? moment(17) : null}, ${approved ? moment(18) : null})`);
      for (const [n, standardCriteria] of criteria.slice(0, standards).entries())
        for (const [kind, method, seen] of [
          ['knowledge', 'questioning', 'Talked it through with examples from the last shifts; answered in their own words.'],
          [
            'practice',
            n === 11 ? 'simulation' : 'observation',
            'Seen on the floor in the morning: calm, at the person’s pace, and as the plan says.',
          ],
        ] as const) {
          const seenOf = standardCriteria.filter((c) => c.kind === kind);
          if (seenOf.length === 0) continue;
          const id = demoId(`observation:${email}:${n}:${kind}`);
          const record: ObservationRecord = {
            ...{ done_at: moment(n + 1).toISOString(), method, setting: kind === 'practice' ? 'Lounge and bedrooms' : 'Office', seen, feedback: '' },
            criteria: seenOf.map((c) => ({ criterion: c.code, outcome: 'met', action: null, due: null })),
          };
          await tx.run(sql`insert into observations (id, certificate_id, kind, record, assessor_id, at, received_at)
            values (${id}, ${certificateId}, 'observation', ${JSON.stringify(record)}, ${trainer}, ${moment(n + 1)}, ${moment(n + 1)})`);
          // Both have signed; Rhys has not read the latest ones yet.
          const learner = demoId(`user:${email}`);
          for (const [signer, by] of [['assessor', trainer], ...(email.startsWith('rhys') && n > 13 ? [] : [['learner', learner]])] as [
            string,
            string,
          ][])
            await tx.run(sql`insert into observation_signatures (id, certificate_id, about, signer, method, content, agrees, comment, by_id, at, received_at)
              values (${demoId(`signature:${id}:${signer}`)}, ${certificateId}, ${id}, ${signer}, 'signed_in', ${await contentHash(record)}, ${signer === 'learner' ? true : null}, '', ${by}, ${moment(n + 1)}, ${moment(n + 1)})`);
          for (const c of seenOf)
            await tx.run(sql`insert into criterion_decisions (id, certificate_id, criterion, outcome, observation_id, decided_by, at, received_at)
              values (${demoId(`decision:${email}:${c.code}`)}, ${certificateId}, ${c.code}, 'met', ${id}, ${trainer}, ${moment(n + 1)}, ${moment(n + 1)})`);
        }
      for (let n = 1; n <= standards - 4; n++)
        await tx.run(sql`insert into supervision_grants (id, certificate_id, standard, level, note, by_id, at, received_at)
          values (${demoId(`supervision:${email}:${n}`)}, ${certificateId}, ${String(n)}, 'indirect', '', ${trainer}, ${moment(n + 1)}, ${moment(n + 1)})`);
      if (approved)
        await tx.run(sql`insert into certificate_approvals (id, certificate_id, approved, by_id, at)
          values (${demoId(`approval:${email}`)}, ${certificateId}, true, ${demoId('user:manager@willowbrook.test')}, ${moment(18)})`);
    }
    const pathwayId = demoId('pathway:first weeks');
    const made = new Date(now.getTime() - 120 * day);
    await tx.run(sql`insert into pathways (id, entity_id, name, description, created_at, updated_at)
      values (${pathwayId}, ${entityId('group')}, 'The first twelve weeks', 'What everybody who gives care goes through first: what keeps you safe, then what keeps those you support safe.', ${made}, ${made})`);
    const firstWeeks: [string, number][] = [
      ['Health and safety awareness', 7],
      ['Infection prevention and control', 14],
      ['Fire safety', 14],
      ['Moving and assisting people', 28],
      ['Safeguarding adults', 42],
      ['Basic life support', 84],
    ];
    for (const [place, [title, days]] of firstWeeks.entries())
      await tx.run(
        sql`insert into pathway_steps (pathway_id, place, course_id, within_days) values (${pathwayId}, ${place}, ${courseIds.get(title) ?? null}, ${days})`,
      );
    for (const role of ['care', 'senior'])
      await tx.run(sql`insert into pathway_allocations (id, pathway_id, role_id, allocated_on, allocated_by)
        values (${demoId(`pathway:${role}`)}, ${pathwayId}, ${roleId(role, 'group')}, ${made.toISOString().slice(0, 10)}, ${demoId('user:admin@willowbrook.test')})`);
    // Training sessions of the trainer: one of last week with its register, one today, one tomorrow.
    const admin = demoId('user:admin@willowbrook.test');
    const on = (days: number) => addDays(dayIn(now, defaultTimeZone), days);
    const places: [string, string, string, [string, number][]][] = [
      ['head office', 'Training room, head office', 'Ask at the desk for the key of the lift.', [['Training room', 16]]],
      [
        'home',
        'Willowbrook House',
        '',
        [
          ['Activity room', 12],
          ['Lounge', 20],
        ],
      ],
    ];
    for (const [key, name, notes, rooms] of places) {
      const id = demoId(`venue:${key}`);
      await tx.run(sql`insert into venues (id, entity_id, name, address, step_free, hearing_loop, parking, access_notes)
        values (${id}, ${entityId('group')}, ${name}, ${key === 'home' ? '12 Mill Lane, Ashford' : '3 Station Road, Ashford'}, true, ${key !== 'home'}, true, ${notes})`);
      for (const [place, [room, capacity]] of rooms.entries())
        await tx.run(
          sql`insert into venue_rooms (id, venue_id, name, capacity, place) values (${demoId(`room:${room}`)}, ${id}, ${room}, ${capacity}, ${place})`,
        );
    }
    const sessions: [string, string, number, string, string, string, 'attendance' | 'practical', string[]][] = [
      [
        'first-aid',
        'Emergency first aid at work',
        -6,
        '09:30',
        '15:30',
        'Training room, head office',
        'practical',
        ['sunita.patel', 'rhys.evans', 'sophie.turner'],
      ],
      [
        'moving',
        'Moving and assisting people',
        0,
        '09:30',
        '12:30',
        'Willowbrook House',
        'practical',
        ['grace.adeyemi', 'liam.murphy', 'megan.davies', 'daniel.osei'],
      ],
      ['life-support', 'Basic life support', 1, '13:00', '16:00', 'Willowbrook House', 'practical', ['aisha.khan', 'jade.robinson']],
      ['children', 'Safeguarding children', 6, '10:00', '12:00', 'Training room, head office', 'attendance', ['learner', 'gareth.pugh']],
    ];
    for (const [key, title, days, start, end, venue, grading, people] of sessions) {
      const id = demoId(`session:${key}`);
      await tx.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, max_delegates, grading_method, created_by, created_at)
        values (${id}, ${entityId('group')}, ${courseIds.get(title) ?? null}, ${trainer}, ${on(days)}, ${start}, ${end}, ${venue}, ${venue.startsWith('Willow') ? 'Activity room' : ''}, '', 12, ${grading}, ${admin}, ${made})`);
      const marks: string[] = [];
      for (const [n, who] of people.entries()) {
        const user = demoId(`user:${who}@willowbrook.test`);
        const delegate = demoId(`delegate:${key}:${who}`);
        await tx.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
          select ${delegate}, ${id}, u.id, u.name, ${admin}, ${made} from users u where u.id = ${user}`);
        if (days >= 0) continue;
        const at = new Date(now.getTime() + days * day);
        const mark = demoId(`mark:${key}:${who}`);
        marks.push(mark);
        await tx.run(sql`insert into register_marks (id, session_id, delegate_id, presence, arrived, outcome, note, by_id, at, received_at, seq)
          values (${mark}, ${id}, ${delegate}, ${n === 1 ? 'absent' : 'present'}, ${n === 2 ? '09:50' : null}, ${n === 1 ? null : 'passed'}, '', ${trainer}, ${at}, ${at}, ${n + 1})`);
        if (n === 1) continue;
        await tx.run(sql`insert into results (id, user_id, course_id, content_id, type, completed_at, expires_at, origin, delegate_id)
          values (${demoId(`result:${key}:${who}`)}, ${user}, ${courseIds.get(title) ?? null}, ${demoId(`content:${title}`)}, 'face2face', ${`${on(days)}T12:00:00.000Z`}, ${new Date(now.getTime() + days * day + 1095 * day)}, 'register', ${delegate})`);
      }
      if (days < 0)
        await tx.run(sql`insert into register_completions (id, session_id, marks, note, method, drawing, by_id, at, received_at)
          values (${demoId(`completion:${key}`)}, ${id}, ${marks}, '', 'drawn', 'M60 90L120 60L180 100L260 70L330 95', ${trainer}, ${new Date(now.getTime() + days * day)}, ${new Date(now.getTime() + days * day)})`);
    }
    await fillBrightpath(tx, files, now);
    const talk: [string, string, number, string][] = [
      [
        'trainer@willowbrook.test',
        'manager@willowbrook.test',
        50,
        'I can be with you on Tuesday to observe the moving and assisting. Who is on the early shift?',
      ],
      [
        'manager@willowbrook.test',
        'trainer@willowbrook.test',
        47,
        'Grace and Liam. Both have finished the course, so it is only the practical part that is missing.',
      ],
      ['trainer@willowbrook.test', 'manager@willowbrook.test', 46, 'Good. I start at eight, before breakfast.'],
      ['grace.adeyemi@willowbrook.test', 'manager@willowbrook.test', 20, 'The spare hoist sling is back from the laundry. It hangs in the store.'],
      ['manager@willowbrook.test', 'grace.adeyemi@willowbrook.test', 19, 'Thank you, that helps.'],
    ];
    for (const [from, to, hours, text] of talk) {
      const at = new Date(now.getTime() - hours * 3_600_000);
      await tx.run(sql`insert into messages (id, sender_id, recipient_id, message, sent_at, received_at, read_at)
        select ${demoId(`message:${hours}`)}, s.id, r.id, ${text}, ${at}, ${at}, ${at} from users s, users r where s.email = ${from} and r.email = ${to}`);
    }
    const help: [string, string, string, string][] = [
      [
        'Your courses',
        '^/$',
        'your-courses',
        'This page shows what you have to do, the most urgent first. Press a course to start or to go on. Before a shift without signal, press Make available offline: the course is then kept on this device.',
      ],
      [
        'Working through a course',
        '^/attempt/',
        'working-through-a-course',
        'Read each page to the end and press Next. Everything you do is saved on this device at once, and sent when there is a connection. When you have handed the quiz in, it is marked as soon as the server has it.',
      ],
      [
        'What “Saved on this device” means',
        '.*',
        'saved-on-this-device',
        'Saved on this device: it is safe here, even if the battery runs out. Sending: it is on its way. Received: the server has it. Needs you: something could not be accepted; open the list to see why and what you can do.',
      ],
      [
        'Taking a register',
        '^/training-sessions',
        'taking-a-register',
        'Press Here or Absent for each person; Late, early, note says from when to when. Add somebody who is not on the list below it. When everybody is marked, sign and finish: the training then appears in their records. All of it works without a signal. If the session was cancelled meanwhile, your register is kept, and the person who cancelled it is asked whether it took place.',
      ],
      [
        'Writing to a colleague',
        '^/messages',
        'writing-to-a-colleague',
        'Find a colleague by name, write, and press Send. Without a signal the message is saved on this device and goes by itself. Under your message stands how far it has got: Saved on this device, Received, Read.',
      ],
      [
        'Finding a person',
        '^/users',
        'finding-a-person',
        'Type part of a name or of an e-mail address. Open a person to see their training record and to download certificates.',
      ],
      [
        'Saved views of reports',
        '^/reports/presets',
        'saved-views-of-reports',
        'In a report choose people, courses and dates, then press Save this view and give it a name. It is one press away here, in the report and on your dashboard. Share it, and everybody at your organisation and below it who may read the report has it too; each sees their own people in it. Make one your default, and the report opens with it for you. What was chosen and is gone by now is left out, and the view says so.',
      ],
      [
        'Reports by e-mail',
        '^/reports/(schedules|deliveries)',
        'reports-by-e-mail',
        'A schedule sends a report every day, week or month, to people, to job roles, or to addresses within the domains of your organisation. It shows what you may see on the day on which it is sent, with the filter that it was made with. Pause stops it until you resume it; Send now sends it once, immediately. The list of recent sendings shows how many people each went to, and why one failed. When you leave, your schedules stop, and the people who manage schedules are notified.',
      ],
      [
        'Ordering training',
        '^/(marketplace|training-orders)',
        'ordering-training',
        'The marketplace has what training companies offer: e-learning by licence, and places on face-to-face courses. Try e-learning before you order it; nothing of a trial is recorded. Add what you need to an order and submit it. The budget holder sees whether it is within the remaining budget, and approves or declines it. Once it is approved, assign its licences to people under the order; a licence that has not been used yet can be released for somebody else. You are notified before licences expire, and can renew the order.',
      ],
      [
        'Arranging a dashboard',
        '^/(learner-dashboard|manager-dashboard$|management-dashboard|management-area|active-users)',
        'arranging-a-dashboard',
        'Press Arrange. The arrows move a part up or down, the tick shows or hides it, and below it looks as it will. Save keeps it for you. People who may change the organisation can save it for everybody there and below, who see it unless they have arranged it themselves. Arranging needs a connection.',
      ],
    ];
    const courseOf = (title: string) => courseIds.get(title) as string;
    await writeDrafts(tx, {
      ...{ entity: entityId('group'), author: admin, at: new Date(now.getTime() - 3 * day) },
      courses: { fire: courseOf('Fire safety'), talk: courseOf('Health and safety awareness') },
    });
    for (const [title, regex, suffix, body] of help)
      await tx.run(
        sql`insert into help_articles (id, title, url_regex, link_suffix, body) values (${demoId(`help:${suffix}`)}, ${title}, ${regex}, ${suffix}, ${body})`,
      );
  });
};
