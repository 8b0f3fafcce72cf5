import { can, type Holder } from '#contract/can.ts';

/**
 * Every permission of the product: one row each. Routes, endpoints, GraphQL fields, buttons and the
 * generated matrix in docs/generated/ read only this table.
 *
 * Code names a permission by its `slug`. `id` is what is stored and what older clients send; the API accepts both.
 */
export type PermissionCategory =
  | 'system'
  | 'entities'
  | 'users'
  | 'courses'
  | 'content'
  | 'reports'
  | 'bookings'
  | 'certificates'
  | 'widgets'
  | 'records'
  | 'roles'
  | 'types'
  | 'permissions'
  | 'compliance'
  | 'libraries';

const row = <const Slug extends string, const Id extends number>(
  id: Id,
  slug: Slug,
  category: PermissionCategory,
  name: string,
  description: string,
) => ({ id, slug, category, name, description });

export const permissions = [
  row(1, 'entity.create', 'entities', 'Add organisations', 'Create a new organisation below one that you can see.'),
  row(2, 'entity.update', 'entities', 'Update organisations', 'Change the details and settings of an organisation.'),
  row(3, 'user.create', 'users', 'Add people', 'Create an account for a person.'),
  row(4, 'user.role', 'users', 'Set job role', "Choose a person's job role."),
  row(5, 'user.type', 'users', 'Set user type', "Choose a person's user type."),
  row(6, 'certificate.own', 'certificates', 'Own certificates', 'Download your own certificates.'),
  row(7, 'certificate.user', 'certificates', "People's certificates", 'Download the certificates of other people.'),
  row(9, 'booking.create', 'bookings', 'Create bookings', 'Book people on training sessions.'),
  row(10, 'booking.manage', 'bookings', 'Manage bookings', 'Open the booking management area.'),
  row(11, 'booking.update', 'bookings', 'Edit bookings', 'Change or cancel a booking.'),
  row(12, 'report.matrix', 'reports', 'Training matrix', 'See the training matrix.'),
  row(13, 'report.compliance', 'reports', 'Compliance report', 'See the compliance report.'),
  row(14, 'report.matrix_pdf', 'reports', 'Matrix as PDF', 'Download the training matrix as a PDF.'),
  row(15, 'report.matrix_excel', 'reports', 'Matrix as Excel', 'Download the training matrix as a spreadsheet.'),
  row(16, 'report.compliance_pdf', 'reports', 'Compliance as PDF', 'Download the compliance report as a PDF.'),
  row(17, 'report.compliance_excel', 'reports', 'Compliance as Excel', 'Download the compliance report as a spreadsheet.'),
  row(18, 'user.update', 'users', 'Update people', "Change a person's details."),
  row(19, 'entity.act_as', 'system', 'Act for another organisation', 'Work on behalf of another organisation.'),
  row(20, 'entity.whitelabel', 'entities', 'Branding', "Change an organisation's logo, colours and terms."),
  row(21, 'user.search', 'users', 'Find people', 'See and search the list of people.'),
  row(22, 'entity.search', 'entities', 'Find organisations', 'See and search the list of organisations.'),
  row(23, 'entity.contact', 'entities', 'Contact details', "Change an organisation's contact details."),
  row(24, 'record.search', 'records', 'Find training records', "Search people's training records."),
  row(25, 'record.update', 'records', 'Update training records', 'Correct a training record.'),
  row(26, 'record.create', 'records', 'Add training records', 'Add a training record for a person.'),
  row(27, 'course.create', 'courses', 'Add courses', 'Create a course.'),
  row(28, 'course.update', 'courses', 'Edit courses', 'Change a course.'),
  row(29, 'content.create', 'content', 'Add content', 'Create content for a course.'),
  row(30, 'content.update', 'content', 'Edit content', 'Change content.'),
  row(31, 'type.create', 'types', 'Create user types', 'Create a user type.'),
  row(32, 'type.update', 'types', 'Update user types', 'Change a user type.'),
  row(33, 'role.create', 'roles', 'Create job roles', 'Create a job role.'),
  row(34, 'role.update', 'roles', 'Update job roles', 'Change a job role.'),
  row(35, 'event.create', 'records', 'Add events', 'Add a training event for a person.'),
  row(36, 'event.delete', 'records', 'Delete events', 'Remove a training event from a person.'),
  row(39, 'message.dashboard', 'widgets', 'Messages', 'Open the messages area.'),
  row(40, 'widget.entity_compliance', 'widgets', 'Compliance widget', "See the organisation's compliance on the dashboard."),
  row(41, 'entity.access', 'entities', 'Organisation access', 'Temporarily restrict access to an organisation, and set the message shown.'),
  row(42, 'entity.belongs_to', 'entities', 'Belongs to', 'Set which organisation a person belongs to.'),
  row(43, 'record.completed_courses', 'records', 'Completed courses', 'Change the validity of courses that people have already completed.'),
  row(44, 'user.update_password', 'users', 'Update password', 'Change your own password.'),
  row(45, 'user_permission.view', 'permissions', "See a person's permissions", 'See which permissions a person has.'),
  row(46, 'user_permission.update', 'permissions', "Change a person's permissions", 'Grant and revoke permissions of a person.'),
  row(47, 'user.reset_password', 'users', 'Reset password', 'Send a person a link to reset their password.'),
  row(49, 'role.view', 'roles', 'See job roles', 'See the job roles of an organisation.'),
  row(50, 'type.view', 'types', 'See user types', 'See the user types of an organisation.'),
  row(51, 'entity.expiry_warning', 'entities', 'Expiry warning', 'Set how long before expiry a course turns amber.'),
  row(52, 'entity.starter_period', 'entities', 'Starter period', 'Set how long a new starter has to complete training.'),
  row(53, 'entity.view', 'entities', 'See an organisation', 'Open the page of an organisation.'),
  row(54, 'role.delete', 'roles', 'Delete job roles', 'Delete a job role.'),
  row(55, 'type.delete', 'types', 'Delete user types', 'Delete a user type.'),
  row(56, 'report.results', 'reports', 'Results report', 'See the results report.'),
  row(63, 'content.creator', 'content', 'Content creator', 'Open the content creator.'),
  row(66, 'course.next_admin', 'courses', 'Next button for administrators', 'Move on in a course without completing the page.'),
  row(67, 'dashboard.active_users', 'widgets', 'Active users', 'See who is signed in and when.'),
  row(68, 'entity.courses', 'entities', 'Courses of an organisation', 'Choose the courses of an organisation.'),
  row(69, 'entity.content', 'entities', 'Content of an organisation', 'Choose the content of an organisation.'),
  row(70, 'permission.update', 'permissions', 'Edit permissions', 'Grant and revoke permissions of organisations and types.'),
  row(78, 'permission.view', 'permissions', 'See permissions', 'See the permissions of organisations and types.'),
  row(79, 'dashboard.management', 'widgets', 'Management dashboard', 'Open the management dashboard.'),
  row(80, 'content.available_courses', 'content', 'Available courses', 'See courses that are available but not required.'),
  row(81, 'message.active_users', 'system', 'Message active users', 'Send a message to the people on the active users list.'),
  row(84, 'entity.parent', 'entities', 'Parent organisation', 'Move an organisation below another.'),
  row(85, 'record.delete', 'records', 'Delete training records', 'Delete a training record.'),
  row(86, 'care_certificate.assign', 'certificates', 'Assign care certificates', 'Assign the care certificate to a person.'),
  row(87, 'care_certificate.report', 'certificates', 'Care certificate report', 'See the care certificate report.'),
  row(88, 'care_certificate.download', 'certificates', 'Download care certificates', 'Download a care certificate as PDF.'),
  row(89, 'observation.create', 'certificates', 'Record observations', 'Create and update observations.'),
  row(90, 'observation.delete', 'certificates', 'Delete observations', 'Withdraw an observation.'),
  row(91, 'user.activity', 'users', 'Account activity', "See a person's account activity."),
  row(92, 'care_certificate.historical', 'certificates', 'Historical care certificates', 'Record care certificates gained elsewhere.'),
  row(93, 'care_certificate.approve', 'certificates', 'Approve care certificates', 'Give the final approval of a care certificate.'),
  row(94, 'tag.view', 'entities', 'See tags', 'See the tags of an organisation.'),
  row(95, 'tag.manage', 'entities', 'Manage tags', 'Create, rename and delete tags.'),
  row(96, 'tag.link', 'entities', 'Link tags', 'Put tags on people.'),
  row(97, 'tag.use', 'entities', 'Use tags', 'Filter by tags.'),
  row(98, 'role.view_read_only', 'roles', 'See job roles (read only)', 'See job roles without being able to change them.'),
  row(99, 'trainer.create', 'bookings', 'Create trainers, see importer logs', 'Create trainers, and open the logs of imports.'),
  row(100, 'importer.resolve', 'system', 'Resolve importer logs', 'Mark a problem of an import as resolved.'),
  row(101, 'access_token.create', 'system', 'Add access tokens', 'Create a personal access token.'),
  row(102, 'access_token.revoke', 'system', 'Revoke access tokens', 'Revoke a personal access token.'),
  row(103, 'access_token.view', 'system', 'See access tokens', 'See personal access tokens.'),
  row(104, 'dashboard.learner', 'widgets', 'Learner dashboard', 'Open the learner dashboard.'),
  row(105, 'dashboard.manager', 'widgets', 'Manager dashboard', 'Open the manager dashboard.'),
  row(108, 'booking.own', 'bookings', 'Own bookings', 'See your own bookings.'),
  row(109, 'booking.provider', 'bookings', 'Provider bookings', 'See the bookings made with your training company.'),
  row(110, 'training_company.update', 'bookings', 'Training provider', 'Change the settings of a training company.'),
  row(111, 'user.bulk_attempts', 'users', 'Bulk attempts', 'Record one completed event for many people.'),
  row(112, 'webhook.manage', 'system', 'Webhooks', 'Create and change webhooks.'),
  row(117, 'report.schedules', 'reports', 'Report schedules', 'Schedule reports.'),
  row(118, 'booking.request', 'bookings', 'Request bookings', 'Ask for a booking.'),
  row(119, 'entity.notes_update', 'entities', 'Change notes', 'Write notes about an organisation.'),
  row(120, 'entity.notes_view', 'entities', 'See notes', 'Read notes about an organisation.'),
  row(
    122,
    'content.restrict',
    'content',
    'Restrict content',
    'Limit courses and contents to some job roles and user types, or to those who record training.',
  ),
  row(123, 'delegate.remove', 'bookings', 'Remove delegates', 'Remove a person from a training session.'),
  row(124, 'certificate.suppress', 'certificates', 'Suppress certificates', 'Stop a certificate from being issued.'),
  row(127, 'user.self_update', 'users', 'Update own details', 'Change your own details.'),
  row(128, 'delegate.mark', 'bookings', 'Mark delegates', 'Mark who attended a training session.'),
  row(133, 'feature.2x', 'system', '2x', 'Use the 2x feature.'),
] as const;

export type Permission = (typeof permissions)[number];
export type PermissionId = Permission['id'];
export type PermissionSlug = Permission['slug'];

/**
 * Permissions of the specification whose function is not built yet, and what they will guard. A permission leaves this list with
 * the change that builds its function (`tools/permission-uses.test.ts`).
 */
export const guardsLater = {
  'access_token.create': 'adding a personal access token',
  'access_token.revoke': 'revoking a personal access token',
  'access_token.view': 'the list of personal access tokens',
  'webhook.manage': 'webhooks',
  'feature.2x': 'the 2x feature, which the specification names but does not describe',
} as const satisfies Partial<Record<PermissionSlug, string>>;

const bySlug = new Map<string, Permission>(permissions.map((p) => [p.slug, p]));
const byId = new Map<string, Permission>(permissions.map((p) => [String(p.id), p]));

/** The permission that a client named by id or slug, or undefined if there is none. */
export const permissionOf = (idOrSlug: number | string): Permission | undefined => bySlug.get(String(idOrSlug)) ?? byId.get(String(idOrSlug));

/** The id under which a permission is stored and sent. */
export const permissionIdOf = (slug: PermissionSlug): PermissionId => (bySlug.get(slug) as Permission).id;

/** Permissions that only affect the person who has them: own certificates, password, details and bookings, available courses, the learner dashboard. */
export const personalPermissions: readonly PermissionSlug[] = [
  'certificate.own',
  'user.update_password',
  'content.available_courses',
  'dashboard.learner',
  'booking.own',
  'user.self_update',
];

/** What somebody needs who administers an organisation: with these they can give everybody there what they need. */
export const administrating: readonly PermissionSlug[] = ['permission.update', 'user.update', 'user.type'];

/** Whether somebody may give a permission to others or remove it: one that they have, or that only affects its holder. */
export const mayHandOn = (holder: Holder | null | undefined, permission: PermissionSlug): boolean =>
  can(holder, permission) || (holder !== null && holder !== undefined && personalPermissions.includes(permission));
