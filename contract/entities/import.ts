import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** What can be imported, with the permissions to add and to change it. */
export const importKinds = {
  people: { add: 'user.create', change: 'user.update' },
  organisations: { add: 'entity.create', change: 'entity.update' },
  roles: { add: 'role.create', change: 'role.update' },
  courses: { add: 'course.create', change: 'course.update' },
  training: { add: 'user.bulk_attempts', change: 'user.bulk_attempts' },
} as const satisfies Record<string, { add: PermissionSlug; change: PermissionSlug }>;
export type ImportKind = keyof typeof importKinds;
export const importKindNames = Object.keys(importKinds) as [ImportKind, ...ImportKind[]];

/** `readMs`: time limit for reading a table. */
export const importLimits = { bytes: 20_000_000, rows: 50_000, columns: 200, cells: 1_500_000, readMs: 30_000 } as const;

type Field = {
  label: string;
  /** A row without it is refused; `or` names the fields that together replace it. */
  required?: true;
  or?: readonly string[];
  /** Column headings that mean this field, in lower case, letters and digits only. */
  guesses: readonly string[];
  hint?: string;
};
/** The fields of each kind in display order. The first is the key that matches a row with an existing record. */
export const importFields = {
  people: {
    email: {
      label: 'E-mail address',
      required: true,
      guesses: ['email', 'emailaddress', 'mail', 'workemail'],
      hint: 'Identifies an existing person.',
    },
    name: { label: 'Name', required: true, or: ['first_name', 'last_name'], guesses: ['name', 'fullname', 'displayname', 'employeename'] },
    first_name: { label: 'First name', guesses: ['firstname', 'givenname', 'forename'] },
    last_name: { label: 'Last name', guesses: ['lastname', 'surname', 'familyname'] },
    organisation: {
      label: 'Belongs to',
      guesses: ['organisation', 'organization', 'entity', 'site', 'service', 'branch', 'location', 'home', 'belongsto'],
      hint: 'Name, code or slug. If empty, the organisation chosen above.',
    },
    role: { label: 'Job role', guesses: ['jobrole', 'jobtitle', 'position', 'role'] },
    type: { label: 'User type', guesses: ['usertype', 'type'] },
    started_on: {
      label: 'Started on',
      guesses: ['startedon', 'startdate', 'started', 'datejoined', 'hiredate'],
      hint: 'For example 2026-11-30 or 30/11/2026.',
    },
    is_trainer: { label: 'Is a trainer', guesses: ['istrainer', 'trainer'], hint: 'Yes or no.' },
    left: { label: 'Has left', guesses: ['left', 'leaver', 'deleted', 'hasleft'], hint: 'Yes deactivates the person, no reactivates them.' },
    suspended: { label: 'Is suspended', guesses: ['suspended', 'inactive', 'disabled'], hint: 'Yes also deactivates the person.' },
  },
  organisations: {
    code: {
      label: 'Code',
      guesses: ['code', 'sourcedid', 'idnumber', 'identifier', 'reference'],
      hint: 'Identifies an existing organisation; without it, the name does.',
    },
    name: { label: 'Name', required: true, guesses: ['name', 'fullname', 'organisation', 'organization', 'site'] },
    parent: {
      label: 'Belongs to',
      guesses: ['parent', 'belongsto', 'parentsourcedid', 'parentidnumber', 'parentcode'],
      hint: 'Name, code or slug of an existing organisation or one in this table.',
    },
    level: { label: 'Level (A or B)', guesses: ['level'] },
    email: { label: 'E-mail address', guesses: ['email', 'emailaddress'] },
    telephone: { label: 'Telephone', guesses: ['telephone', 'phone'] },
    website: { label: 'Website', guesses: ['website', 'url'] },
    address: { label: 'Address', guesses: ['address'] },
    is_training_company: { label: 'Is a training company', guesses: ['istrainingcompany', 'trainingcompany'] },
    deleted: {
      label: 'Is deleted',
      guesses: ['deleted', 'closed', 'removed'],
      hint: 'Yes: it is not added. An import never deletes an existing organisation.',
    },
  },
  roles: {
    name: { label: 'Name', required: true, guesses: ['name', 'role', 'jobrole', 'jobtitle', 'position', 'fullname'] },
    inspectable: { label: 'Shown to inspectors', guesses: ['inspectable'], hint: 'Yes or no.' },
  },
  courses: {
    title: { label: 'Title', required: true, guesses: ['title', 'fullname', 'course', 'name', 'coursename'] },
    short_title: { label: 'Short title', guesses: ['shorttitle', 'shortname', 'coursecode'] },
    renewal_months: { label: 'Renewal period (months)', guesses: ['renewalmonths', 'renewal', 'months', 'validfor'] },
    published: { label: 'Published', guesses: ['published', 'visible'], hint: 'Yes or no.' },
  },
  training: {
    email: {
      label: 'E-mail address',
      required: true,
      guesses: ['email', 'emailaddress', 'mail', 'workemail', 'username', 'user', 'learner'],
      hint: 'The person who completed the training. They must already have an account.',
    },
    course: {
      label: 'Course',
      required: true,
      guesses: ['course', 'coursetitle', 'coursename', 'courseshortname', 'training', 'trainingname', 'title', 'shortname', 'fullname'],
      hint: 'Title or short title.',
    },
    completed_on: {
      label: 'Completed on',
      required: true,
      guesses: ['completedon', 'completiondate', 'datecompleted', 'completed', 'passedon', 'dateachieved', 'trainingdate', 'date'],
      hint: 'For example 2026-11-30 or 30/11/2026. The expiry date is calculated from it.',
    },
    type: { label: 'Type', guesses: ['how', 'method', 'type'], hint: 'face2face, historical or exempt. If empty: historical.' },
  },
} as const satisfies Record<ImportKind, Record<string, Field>>;
export const fieldsOf = (kind: ImportKind): Record<string, Field> => importFields[kind];

/** What a row will do or has done. `same`: no differences; `refused`: it has problems. */
export const importActions = ['create', 'update', 'deactivate', 'restore', 'same', 'skip', 'refused'] as const;
export type ImportAction = (typeof importActions)[number];

/** A problem of a cell, or of a row (`column` is null), and how to fix it. */
export const ImportProblem = z.object({ column: z.nullable(z.string()), problem: z.string(), remedy: z.string() });
export type ImportProblem = z.infer<typeof ImportProblem>;

/** Field to column index, from 0. */
export const ImportMapping = z.record(z.string().check(z.maxLength(40)), Count);
export type ImportMapping = z.infer<typeof ImportMapping>;
export const importOptions = {
  /** Existing records are updated from the table. */
  update_existing: z.boolean(),
  /** New people get a welcome e-mail. */
  send_welcome_email: z.boolean(),
};

export const Import = z.object({
  id: Id,
  kind: z.enum(importKindNames),
  entity: EntityRef,
  /** Who uploaded the table. */
  actor: Ref,
  /** Who started or last continued the run; null before the first run. */
  run_by: z.nullable(Ref),
  file_name: z.string(),
  /** How it was read, for example CSV, UTF-8, separated by semicolons. */
  format: z.string(),
  columns: z.array(z.string()),
  mapping: ImportMapping,
  options: z.object(importOptions),
  state: z.enum(['planned', 'running', 'stopped', 'done']),
  total: Count,
  /** Number of rows by action, and how many are processed. */
  counts: z.record(z.string(), Count),
  done: Count,
  /** Refused rows that nobody has marked as resolved. */
  unresolved: Count,
  created_at: Instant,
  ended_at: z.nullable(Instant),
});
export type Import = z.infer<typeof Import>;

export const ImportRow = z.object({
  /** Row number in the file; the heading row is 1. */
  no: Count,
  name: z.string(),
  action: z.enum(importActions),
  cells: z.array(z.string()),
  problems: z.array(ImportProblem),
  done: z.boolean(),
  resolved_at: z.nullable(Instant),
});
export type ImportRow = z.infer<typeof ImportRow>;
