import type { RouteId } from '#contract/site-map.ts';
import { accountFeature } from '#src/features/account/feature.tsx';
import { assignmentsFeature } from '#src/features/assignments/feature.tsx';
import { careCertificatesFeature } from '#src/features/care-certificates/feature.tsx';
import { brandingFeature } from '#src/features/branding/feature.tsx';
import { complianceFeature } from '#src/features/compliance/feature.tsx';
import { contentCreatorFeature } from '#src/features/content-creator/feature.tsx';
import { auditFeature } from '#src/features/audit/feature.tsx';
import { entitiesFeature } from '#src/features/entities/feature.tsx';
import { groupsFeature } from '#src/features/groups/feature.tsx';
import { importerFeature } from '#src/features/importer/feature.tsx';
import { jobsFeature } from '#src/features/jobs/feature.tsx';
import { learningFeature } from '#src/features/learning/feature.tsx';
import { messagesFeature } from '#src/features/messages/feature.tsx';
import { pathwaysFeature } from '#src/features/pathways/feature.tsx';
import { permissionsFeature } from '#src/features/permissions/feature.tsx';
import { syncCentreFeature } from '#src/features/sync-centre/feature.tsx';
import { trainingSessionsFeature } from '#src/features/training-sessions/feature.tsx';
import { usersFeature } from '#src/features/users/feature.tsx';
import { venuesFeature } from '#src/features/venues/feature.tsx';
import type { BeforeEntering, Feature, Page } from '#src/lib/feature.ts';

/** The features of the product. */
const features: readonly Feature[] = [
  learningFeature,
  pathwaysFeature,
  messagesFeature,
  careCertificatesFeature,
  trainingSessionsFeature,
  venuesFeature,
  usersFeature,
  entitiesFeature,
  contentCreatorFeature,
  syncCentreFeature,
  accountFeature,
  groupsFeature,
  assignmentsFeature,
  importerFeature,
  jobsFeature,
  brandingFeature,
  complianceFeature,
  permissionsFeature,
  auditFeature,
];

/** The page of each route. A route of the site map without one answers with the 404 screen, and nothing leads there. */
export const pages: Partial<Record<RouteId, Page>> = Object.assign(
  { '403': () => import('#src/app/forbidden.page.tsx'), 'entities-one-settings': () => import('#src/app/settings.page.tsx') },
  ...features.map((f) => f.pages),
);
export const beforeEntering: Partial<Record<RouteId, BeforeEntering>> = Object.assign({}, ...features.map((f) => f.before ?? {}));

/** Lists that stand beside the page of one of theirs, where the screen has room. */
export const lists: ReadonlySet<RouteId> = new Set(features.flatMap((f) => f.lists ?? []));
