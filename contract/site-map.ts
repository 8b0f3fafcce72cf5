import type { PermissionId } from '#contract/permissions.ts';

/**
 * Every route of the product, in the specification's order (section 2): path, layout, who may open it, and whether it
 * works without a network. The router is built from this list; a path that is not here answers with the 404 screen, and
 * so does a route whose screen does not exist yet (src/app/pages.ts says which do).
 */
export type Layout = 'dashboard' | 'default' | 'auth' | 'external' | 'help-desk';
export type Access = 'public' | 'signed-in' | readonly PermissionId[];
export type SiteRoute = {
  id: string;
  path: string;
  layout: Layout;
  access: Access;
  offline: 'cached' | 'online-only' /** True where the route is our addition to the specification. */;
  ours?: true;
};

export const siteMap = [
  { id: 'learner-events', path: '/', layout: 'dashboard', access: 'signed-in', offline: 'cached' },
  { id: 'learner-dashboard', path: '/learner-dashboard', layout: 'dashboard', access: [104], offline: 'online-only' },
  { id: 'management-dashboard', path: '/management-dashboard', layout: 'dashboard', access: [79], offline: 'online-only' },
  { id: 'management-area', path: '/management-area', layout: 'dashboard', access: [79], offline: 'online-only' },
  { id: 'manager-dashboard', path: '/manager-dashboard', layout: 'dashboard', access: [105], offline: 'online-only' },
  { id: 'active-users', path: '/active-users', layout: 'dashboard', access: [67], offline: 'online-only' },
  { id: 'messages', path: '/messages', layout: 'dashboard', access: [39], offline: 'cached' },
  { id: 'care-certificate', path: '/care-certificate', layout: 'dashboard', access: 'signed-in', offline: 'cached' },
  { id: 'manage-bookings', path: '/manage-bookings', layout: 'dashboard', access: [9, 10, 11, 108, 109], offline: 'online-only' },
  { id: 'your-bookings', path: '/your-bookings', layout: 'dashboard', access: [108], offline: 'online-only' },
  { id: 'reports-care-certificate', path: '/reports/care-certificate', layout: 'dashboard', access: [87], offline: 'online-only' },
  { id: 'users', path: '/users', layout: 'default', access: [21], offline: 'cached' },
  { id: 'users-create', path: '/users/create', layout: 'default', access: [3], offline: 'online-only' },
  { id: 'users-bulk-add-events-history', path: '/users/bulk-add-events-history', layout: 'default', access: [111], offline: 'online-only' },
  { id: 'users-bulk-add-events', path: '/users/bulk-add-events', layout: 'default', access: [111], offline: 'online-only' },
  { id: 'users-by-uuid', path: '/users/{uuid}', layout: 'default', access: 'signed-in', offline: 'cached' },
  { id: 'users-update-by-uuid', path: '/users/update/{uuid}', layout: 'default', access: [18, 127], offline: 'online-only' },
  { id: 'attempt-by-attemptid', path: '/attempt/{attemptId}', layout: 'default', access: 'signed-in', offline: 'cached' },
  { id: 'cattempt-by-attemptid', path: '/cattempt/{attemptId}', layout: 'default', access: 'signed-in', offline: 'online-only' },
  { id: 'entities', path: '/entities', layout: 'default', access: [22], offline: 'online-only' },
  { id: 'entities-create', path: '/entities/create', layout: 'default', access: [1], offline: 'online-only' },
  { id: 'entities-one', path: '/entities/{slug}', layout: 'default', access: [53, 2], offline: 'online-only' },
  { id: 'entities-one-update', path: '/entities/{slug}/update', layout: 'default', access: [2], offline: 'online-only' },
  { id: 'entities-one-branding', path: '/entities/{slug}/branding', layout: 'default', access: [20], offline: 'online-only' },
  { id: 'entities-one-course-categories', path: '/entities/{slug}/course-categories', layout: 'default', access: [68], offline: 'online-only' },
  {
    id: 'entities-one-password-requirements',
    path: '/entities/{slug}/password-requirements',
    layout: 'default',
    access: [2],
    offline: 'online-only',
  },
  { id: 'entities-one-courses', path: '/entities/{slug}/courses', layout: 'default', access: [68], offline: 'online-only' },
  { id: 'entities-one-permissions', path: '/entities/{slug}/permissions/', layout: 'default', access: [70, 78], offline: 'online-only' },
  { id: 'entities-one-types-permissions', path: '/entities/{slug}/types/permissions', layout: 'default', access: [70, 78], offline: 'online-only' },
  {
    id: 'entities-one-role-by-role-courses',
    path: '/entities/{slug}/role/{role}/courses',
    layout: 'default',
    access: [49, 98],
    offline: 'online-only',
  },
  {
    id: 'entities-one-role-by-role-pathways',
    path: '/entities/{slug}/role/{role}/pathways',
    layout: 'default',
    access: [49, 98],
    offline: 'online-only',
  },
  { id: 'entities-one-roles', path: '/entities/{slug}/roles/', layout: 'default', access: [49, 98], offline: 'online-only' },
  { id: 'entities-one-types', path: '/entities/{slug}/types', layout: 'default', access: [50], offline: 'online-only' },
  { id: 'entities-one-tags', path: '/entities/{slug}/tags', layout: 'default', access: [94, 95], offline: 'online-only' },
  { id: 'entities-one-certificate-branding', path: '/entities/{slug}/certificate-branding', layout: 'default', access: [20], offline: 'online-only' },
  { id: 'entities-one-delegate-settings', path: '/entities/{slug}/delegate-settings', layout: 'default', access: [110], offline: 'online-only' },
  {
    id: 'entities-one-training-provider-settings',
    path: '/entities/{slug}/training-provider-settings',
    layout: 'default',
    access: [110],
    offline: 'online-only',
  },
  {
    id: 'entities-one-update-role-by-role-course-by-course-compliance',
    path: '/entities/{slug}/update/role/{role}/course/{course}/compliance',
    layout: 'default',
    access: [34],
    offline: 'online-only',
  },
  { id: 'content-creator', path: '/content-creator', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-content-by-type', path: '/content-creator/content/{type}', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-courses', path: '/content-creator/courses', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-courses-create', path: '/content-creator/courses/create', layout: 'default', access: [27], offline: 'online-only' },
  {
    id: 'content-creator-courses-update-by-id',
    path: '/content-creator/courses/update/{id}',
    layout: 'default',
    access: [28],
    offline: 'online-only',
  },
  {
    id: 'content-creator-content-elearning-create',
    path: '/content-creator/content/elearning/create',
    layout: 'default',
    access: [29],
    offline: 'online-only',
  },
  {
    id: 'content-creator-content-elearning-update-by-id',
    path: '/content-creator/content/elearning/update/{id}',
    layout: 'default',
    access: [30],
    offline: 'online-only',
  },
  {
    id: 'content-creator-content-scorm-create',
    path: '/content-creator/content/scorm/create',
    layout: 'default',
    access: [29],
    offline: 'online-only',
  },
  {
    id: 'content-creator-content-scorm-update-by-id',
    path: '/content-creator/content/scorm/update/{id}',
    layout: 'default',
    access: [30],
    offline: 'online-only',
  },
  {
    id: 'content-creator-content-historical-create',
    path: '/content-creator/content/historical/create',
    layout: 'default',
    access: [29],
    offline: 'online-only',
  },
  {
    id: 'content-creator-content-historical-update-by-id',
    path: '/content-creator/content/historical/update/{id}',
    layout: 'default',
    access: [30],
    offline: 'online-only',
  },
  {
    id: 'content-creator-content-face2face-create',
    path: '/content-creator/content/face2face/create',
    layout: 'default',
    access: [29],
    offline: 'online-only',
  },
  {
    id: 'content-creator-content-face2face-update-by-id',
    path: '/content-creator/content/face2face/update/{id}',
    layout: 'default',
    access: [30],
    offline: 'online-only',
  },
  { id: 'content-creator-quizzes', path: '/content-creator/quizzes', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-quizzes-create', path: '/content-creator/quizzes/create', layout: 'default', access: [63], offline: 'online-only' },
  {
    id: 'content-creator-quizzes-update-by-id',
    path: '/content-creator/quizzes/update/{id}',
    layout: 'default',
    access: [63],
    offline: 'online-only',
  },
  { id: 'content-creator-lessons', path: '/content-creator/lessons', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-lessons-create', path: '/content-creator/lessons/create', layout: 'default', access: [63], offline: 'online-only' },
  {
    id: 'content-creator-lessons-update-by-id',
    path: '/content-creator/lessons/update/{id}',
    layout: 'default',
    access: [63],
    offline: 'online-only',
  },
  { id: 'content-creator-topics', path: '/content-creator/topics', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-topics-create', path: '/content-creator/topics/create', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-topics-update-by-id', path: '/content-creator/topics/update/{id}', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-h5ps', path: '/content-creator/h5ps', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-h5ps-create', path: '/content-creator/h5ps/create', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-creator-h5ps-update-by-id', path: '/content-creator/h5ps/update/{id}', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'care-certificate-historical', path: '/care-certificate/historical', layout: 'default', access: [92], offline: 'online-only' },
  {
    id: 'care-certificate-historical-update-by-uuid',
    path: '/care-certificate/historical/update/{uuid}',
    layout: 'default',
    access: [92],
    offline: 'online-only',
  },
  { id: 'care-certificate-by-uuid', path: '/care-certificate/{uuid}', layout: 'default', access: 'signed-in', offline: 'cached' },
  { id: 'importer-logs', path: '/importer/logs', layout: 'default', access: [99], offline: 'online-only' },
  { id: 'personal-access-tokens', path: '/personal-access-tokens', layout: 'default', access: [103], offline: 'online-only' },
  { id: 'webhooks', path: '/webhooks', layout: 'default', access: [112], offline: 'online-only' },
  { id: 'libraries', path: '/libraries', layout: 'default', access: 'signed-in', offline: 'online-only' },
  { id: 'libraries-by-id', path: '/libraries/{id}', layout: 'default', access: 'signed-in', offline: 'online-only' },
  { id: 'tasks-in-progress', path: '/tasks-in-progress', layout: 'default', access: [111], offline: 'online-only' },
  { id: 'content-designer', path: '/content-designer', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-designer-create', path: '/content-designer/create', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'content-designer-by-id', path: '/content-designer/{id}', layout: 'default', access: [63], offline: 'online-only' },
  { id: 'reports-presets', path: '/reports/presets', layout: 'default', access: [12, 13, 56], offline: 'online-only' },
  { id: 'reports-schedules', path: '/reports/schedules', layout: 'default', access: [117], offline: 'online-only' },
  { id: 'reports-matrix-legacy', path: '/reports/matrix-legacy', layout: 'default', access: [12], offline: 'online-only' },
  { id: 'reports-matrix', path: '/reports/matrix', layout: 'default', access: [12], offline: 'online-only' },
  { id: 'reports-compliance-legacy', path: '/reports/compliance-legacy', layout: 'default', access: [13], offline: 'online-only' },
  { id: 'reports-compliance', path: '/reports/compliance', layout: 'default', access: [13], offline: 'online-only' },
  { id: 'reports-certificate', path: '/reports/certificate', layout: 'default', access: [7], offline: 'online-only' },
  { id: 'reports-role', path: '/reports/role', layout: 'default', access: [12, 13], offline: 'online-only' },
  { id: 'results-historical-create', path: '/results/historical/create', layout: 'default', access: [26], offline: 'online-only' },
  { id: 'results-historical-update-by-id', path: '/results/historical/update/{id}', layout: 'default', access: [25], offline: 'online-only' },
  { id: 'results-pending-by-type', path: '/results/pending/{type}', layout: 'default', access: [25], offline: 'online-only' },
  { id: 'results-exempt', path: '/results/exempt', layout: 'default', access: [24], offline: 'online-only' },
  { id: 'results-exempt-create', path: '/results/exempt/create', layout: 'default', access: [26], offline: 'online-only' },
  { id: 'results-exempt-update-by-id', path: '/results/exempt/update/{id}', layout: 'default', access: [25], offline: 'online-only' },
  { id: 'system-search', path: '/system/search', layout: 'default', access: 'signed-in', offline: 'online-only' },
  { id: 'pathways', path: '/pathways', layout: 'default', access: 'signed-in', offline: 'online-only' },
  { id: 'pathways-create', path: '/pathways/create', layout: 'default', access: [28], offline: 'online-only' },
  { id: 'pathways-update-by-id', path: '/pathways/update/{id}', layout: 'default', access: [28], offline: 'online-only' },
  { id: 'pathways-by-id', path: '/pathways/{id}', layout: 'default', access: 'signed-in', offline: 'online-only' },
  { id: 'update-password', path: '/update-password', layout: 'default', access: 'signed-in', offline: 'online-only' },
  { id: 'sign-up-on-monday', path: '/signUpOnMonday', layout: 'default', access: 'public', offline: 'online-only' },
  { id: 'login', path: '/login', layout: 'auth', access: 'public', offline: 'cached' },
  { id: 'register-by-plan', path: '/register/{plan}', layout: 'auth', access: 'public', offline: 'online-only' },
  { id: 'forgot-password', path: '/forgot-password', layout: 'auth', access: 'public', offline: 'online-only' },
  { id: 'reset-password-by-token', path: '/reset-password/{token}', layout: 'auth', access: 'public', offline: 'online-only' },
  { id: 'verify-email-by-token', path: '/verify-email/{token}', layout: 'auth', access: 'public', offline: 'online-only' },
  { id: '404', path: '/404', layout: 'external', access: 'public', offline: 'cached' },
  { id: '403', path: '/403', layout: 'external', access: 'public', offline: 'cached' },
  { id: 'request-verify-email', path: '/request/verify-email', layout: 'external', access: 'signed-in', offline: 'online-only' },
  { id: 'helpscout-app', path: '/helpscout-app', layout: 'help-desk', access: 'public', offline: 'online-only' },
  { id: 'helpscout-auth', path: '/helpscout-auth', layout: 'help-desk', access: 'public', offline: 'online-only' },
  { id: 'users-by-uuid-permissions', path: '/users/{uuid}/permissions', layout: 'default', access: [45, 46], offline: 'online-only', ours: true },
  { id: 'care-certificate-record', path: '/care-certificate/{uuid}/record', layout: 'default', access: [89], offline: 'cached', ours: true },
  { id: 'users-by-uuid-competence', path: '/users/{uuid}/competence', layout: 'default', access: [93], offline: 'online-only', ours: true },
  { id: 'care-certificate-overview', path: '/care-certificate/overview', layout: 'default', access: [93], offline: 'online-only', ours: true },
  { id: 'care-certificate-sign', path: '/care-certificate/{uuid}/sign/{record}', layout: 'default', access: [89], offline: 'cached', ours: true },
  { id: 'training-sessions', path: '/training-sessions', layout: 'default', access: [128, 9, 10, 11], offline: 'cached', ours: true },
  { id: 'training-sessions-create', path: '/training-sessions/create', layout: 'default', access: [9], offline: 'online-only', ours: true },
  {
    id: 'training-sessions-update-by-id',
    path: '/training-sessions/update/{id}',
    layout: 'default',
    access: [11],
    offline: 'online-only',
    ours: true,
  },
  { id: 'training-sessions-by-id', path: '/training-sessions/{id}', layout: 'default', access: [128, 9, 10, 11], offline: 'cached', ours: true },
  { id: 'importer-create', path: '/importer/create', layout: 'default', access: [99], offline: 'online-only', ours: true },
  { id: 'importer-logs-one', path: '/importer/logs/{id}', layout: 'default', access: [99], offline: 'online-only', ours: true },
  { id: 'sign-in-ways', path: '/sign-in-ways', layout: 'default', access: 'signed-in', offline: 'online-only', ours: true },
  { id: 'audit-log', path: '/audit-log', layout: 'default', access: [2], offline: 'online-only', ours: true },
  { id: 'devices', path: '/devices', layout: 'default', access: [24], offline: 'online-only', ours: true },
] as const satisfies readonly SiteRoute[];

export type RouteId = (typeof siteMap)[number]['id'];

/** Any one of these permissions opens a route. */
export const needOf = (id: RouteId): readonly PermissionId[] => {
  const { access } = siteMap.find((r) => r.id === id) as SiteRoute;
  return typeof access === 'string' ? [] : access;
};

/** The path of a route with its parameters filled in; throws when one is missing. */
export const pathTo = (id: RouteId, params: Record<string, string> = {}): string => {
  const route = siteMap.find((r) => r.id === id) as SiteRoute;
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`Route ${id} needs ${name}`);
    return encodeURIComponent(value);
  });
};

/** The pattern by which help articles are chosen: parameters replaced by a wildcard. */
export const helpPattern = (path: string): string => path.replace(/\{\w+\}/g, '*');
