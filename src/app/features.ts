import { accountFeature } from '#src/features/account/feature.tsx';
import { assignmentsFeature } from '#src/features/assignments/feature.tsx';
import { careCertificatesFeature } from '#src/features/care-certificates/feature.tsx';
import { bookingsFeature } from '#src/features/bookings/feature.tsx';
import { brandingFeature } from '#src/features/branding/feature.tsx';
import { complianceFeature } from '#src/features/compliance/feature.tsx';
import { complianceReportFeature } from '#src/features/compliance-report/feature.tsx';
import { contentCreatorFeature } from '#src/features/content-creator/feature.tsx';
import { contentDesignerFeature } from '#src/features/content-designer/feature.tsx';
import { auditFeature } from '#src/features/audit/feature.tsx';
import { dashboardsFeature } from '#src/features/dashboards/feature.tsx';
import { entitiesFeature } from '#src/features/entities/feature.tsx';
import { groupsFeature } from '#src/features/groups/feature.tsx';
import { importerFeature } from '#src/features/importer/feature.tsx';
import { inspectionsFeature } from '#src/features/inspections/feature.tsx';
import { jobsFeature } from '#src/features/jobs/feature.tsx';
import { learningFeature } from '#src/features/learning/feature.tsx';
import { matrixFeature } from '#src/features/matrix/feature.tsx';
import { messagesFeature } from '#src/features/messages/feature.tsx';
import { pathwaysFeature } from '#src/features/pathways/feature.tsx';
import { permissionsFeature } from '#src/features/permissions/feature.tsx';
import { reportPresetsFeature } from '#src/features/report-presets/feature.tsx';
import { reportSchedulesFeature } from '#src/features/report-schedules/feature.tsx';
import { reportsFeature } from '#src/features/reports/feature.tsx';
import { resultsFeature } from '#src/features/results/feature.tsx';
import { syncCentreFeature } from '#src/features/sync-centre/feature.tsx';
import { trainingOrdersFeature } from '#src/features/training-orders/feature.tsx';
import { trainingCompaniesFeature } from '#src/features/training-companies/feature.tsx';
import { trainingSessionsFeature } from '#src/features/training-sessions/feature.tsx';
import { usersFeature } from '#src/features/users/feature.tsx';
import { marketplaceFeature } from '#src/features/marketplace/feature.tsx';
import { venuesFeature } from '#src/features/venues/feature.tsx';
import type { Feature } from '#src/lib/feature.ts';

/** The features of the product. */
export const features: readonly Feature[] = [
  learningFeature,
  pathwaysFeature,
  dashboardsFeature,
  matrixFeature,
  complianceReportFeature,
  reportsFeature,
  messagesFeature,
  careCertificatesFeature,
  trainingSessionsFeature,
  bookingsFeature,
  venuesFeature,
  marketplaceFeature,
  trainingOrdersFeature,
  trainingCompaniesFeature,
  usersFeature,
  resultsFeature,
  entitiesFeature,
  contentCreatorFeature,
  contentDesignerFeature,
  syncCentreFeature,
  accountFeature,
  groupsFeature,
  assignmentsFeature,
  importerFeature,
  inspectionsFeature,
  jobsFeature,
  brandingFeature,
  complianceFeature,
  reportPresetsFeature,
  reportSchedulesFeature,
  permissionsFeature,
  auditFeature,
];
