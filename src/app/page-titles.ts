import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { RouteId } from '#contract/site-map.ts';
import { entityWords } from '#src/access/entity-words.ts';

type Title = string | ((brand: Whitelabel) => string);
const services = (brand: Whitelabel) => brand.entitiesAltName;
const certificate = (brand: Whitelabel) => brand.certificateGroupMenuName;

/** What each page is called in the navigation, the breadcrumbs and the title of the window. A page about one thing is called by its heading as soon as that is there. */
export const pageTitles: Partial<Record<RouteId, Title>> = {
  'learner-events': 'Today',
  messages: 'Messages',
  'care-certificate': certificate,
  'care-certificate-by-uuid': certificate,
  'care-certificate-record': 'Record an observation',
  'care-certificate-sign': 'Sign',
  'care-certificate-overview': 'Overview',
  'care-certificate-historical': 'From elsewhere',
  'care-certificate-historical-update-by-uuid': 'From elsewhere',
  'reports-care-certificate': (brand) => `${brand.certificateGroupMenuName} report`,
  users: 'People',
  'users-create': 'Add a person',
  'users-bulk-add-events': 'Record group training',
  'users-bulk-add-events-history': 'History',
  'users-by-uuid': 'Person',
  'users-update-by-uuid': 'Edit',
  'users-by-uuid-permissions': 'Permissions',
  'users-by-uuid-competence': 'Competence to assess',
  'attempt-by-attemptid': 'Course',
  entities: services,
  'entities-create': (brand) => `Add ${entityWords(brand).anOne}`,
  'entities-one': (brand) => brand.entityAltName,
  'entities-one-update': 'Details',
  'entities-one-settings': 'Settings',
  'entities-one-branding': 'Branding',
  'entities-one-certificate-branding': 'Certificates',
  'entities-one-course-categories': 'Course categories',
  'entities-one-password-requirements': 'Passwords',
  'entities-one-courses': 'Courses',
  'entities-one-permissions': 'Permissions of everybody',
  'entities-one-types-permissions': 'Permissions of user types',
  'entities-one-role-by-role-courses': 'Courses of a job role',
  'entities-one-role-by-role-pathways': 'Pathways of a job role',
  'entities-one-roles': 'Job roles',
  'entities-one-types': 'User types',
  'entities-one-tags': 'Tags',
  'entities-one-update-role-by-role-course-by-course-compliance': 'Rule for a course',
  'content-creator': 'Content',
  'content-creator-content-by-type': 'SCORM courses',
  'content-creator-content-scorm-create': 'Add a SCORM course',
  'content-creator-content-scorm-update-by-id': 'SCORM course',
  'content-creator-h5ps': 'H5P activities',
  'content-creator-h5ps-create': 'Add an activity',
  'content-creator-h5ps-update-by-id': 'Activity',
  'importer-logs': 'Imports',
  'importer-logs-one': 'Import',
  'importer-create': 'Import a table',
  'tasks-in-progress': 'Tasks in progress',
  pathways: 'Pathways',
  'pathways-create': 'Create a pathway',
  'pathways-by-id': 'Pathway',
  'pathways-update-by-id': 'Edit',
  'training-sessions': 'Registers',
  'training-sessions-create': 'Plan a session',
  'training-sessions-by-id': 'Register',
  'training-sessions-update-by-id': 'Edit',
  venues: 'Venues',
  'venues-by-id': 'Venue',
  'update-password': 'Change password',
  'sign-in-ways': 'How I sign in',
  'audit-log': 'Audit log',
  devices: 'Devices',
};

export const titleOf = (id: RouteId, brand: Whitelabel): string => {
  const title = pageTitles[id];
  return typeof title === 'function' ? title(brand) : (title ?? '');
};

/** What stands in the settings of an organisation, in the order of its list. */
export const settingsPlaces = [
  { route: 'entities-one-update', about: 'Name, address, training rules and notifications' },
  { route: 'entities-one-branding', about: 'Logo, colours and words' },
  { route: 'entities-one-certificate-branding', about: 'What certificates say, and who signs them' },
  { route: 'entities-one-roles', about: 'What people work as, and the courses that go with it' },
  { route: 'entities-one-types', about: 'Groups of people who may do the same' },
  { route: 'entities-one-types-permissions', about: 'What each user type may do' },
  { route: 'entities-one-permissions', about: 'What everybody may do' },
  { route: 'entities-one-tags', about: 'Labels to find people by' },
  { route: 'entities-one-password-requirements', about: 'How long and how mixed passwords are, and when they expire' },
  { route: 'importer-logs', about: 'People, training and courses from a table' },
  { route: 'tasks-in-progress', about: 'What runs in the background, and its progress' },
  { route: 'audit-log', about: 'Who changed what, and when' },
] as const satisfies readonly { route: RouteId; about: string }[];
