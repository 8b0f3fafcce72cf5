import { assignmentEndpoints } from '#contract/api/assignments.ts';
import { attemptEndpoints } from '#contract/api/attempts.ts';
import { authEventEndpoints } from '#contract/api/auth-events.ts';
import { auditEndpoints } from '#contract/api/audit.ts';
import { authEndpoints } from '#contract/api/auth.ts';
import { brandingEndpoints } from '#contract/api/branding.ts';
import { bulkEventEndpoints } from '#contract/api/bulk-events.ts';
import { careOverviewEndpoints } from '#contract/api/care-overview.ts';
import { careCertificateEndpoints } from '#contract/api/care-certificates.ts';
import { complianceEndpoints } from '#contract/api/compliance.ts';
import { complianceReportEndpoints } from '#contract/api/compliance-report.ts';
import { contentEndpoints } from '#contract/api/content.ts';
import { contentFileEndpoints } from '#contract/api/content-files.ts';
import { questionFileEndpoints } from '#contract/api/question-files.ts';
import { contentPartEndpoints } from '#contract/api/content-parts.ts';
import { contentPresenceEndpoints } from '#contract/api/content-presence.ts';
import { courseFileEndpoints } from '#contract/api/course-files.ts';
import { courseEndpoints } from '#contract/api/courses.ts';
import { dashboardEndpoints } from '#contract/api/dashboards.ts';
import { designedContentEndpoints } from '#contract/api/designed-contents.ts';
import { deviceEndpoints } from '#contract/api/devices.ts';
import { entityEndpoints } from '#contract/api/entities.ts';
import { feedbackEndpoints } from '#contract/api/feedback.ts';
import { forecastEndpoints } from '#contract/api/forecast.ts';
import { roleEndpoints, typeEndpoints } from '#contract/api/groups.ts';
import { h5pEndpoints } from '#contract/api/h5ps.ts';
import { historicalCertificateEndpoints } from '#contract/api/historical-certificates.ts';
import { importEndpoints } from '#contract/api/imports.ts';
import { inspectionEndpoints } from '#contract/api/inspections.ts';
import { jobEndpoints } from '#contract/api/jobs.ts';
import { learningEndpoints } from '#contract/api/learning.ts';
import { matrixEndpoints } from '#contract/api/matrices.ts';
import { marketplaceEndpoints } from '#contract/api/marketplace.ts';
import { messageEndpoints } from '#contract/api/messages.ts';
import { packageEndpoints } from '#contract/api/packages.ts';
import { permissionEndpoints } from '#contract/api/permissions.ts';
import { presetEndpoints } from '#contract/api/report-presets.ts';
import { scheduleEndpoints } from '#contract/api/report-schedules.ts';
import { reportsEndpoints } from '#contract/api/reports.ts';
import { resultEndpoints } from '#contract/api/results.ts';
import { signInEndpoints } from '#contract/api/sign-in.ts';
import { submissionEndpoints } from '#contract/api/submissions.ts';
import { bookingEndpoints } from '#contract/api/bookings.ts';
import { managedBookingEndpoints } from '#contract/api/manage-bookings.ts';
import { evaluationEndpoints } from '#contract/api/evaluations.ts';
import { sessionDocumentEndpoints } from '#contract/api/session-documents.ts';
import { trainingSessionEndpoints } from '#contract/api/training-sessions.ts';
import { trainingOrderEndpoints } from '#contract/api/training-orders.ts';
import { trainingCompanyEndpoints } from '#contract/api/training-companies.ts';
import { trainerEndpoints } from '#contract/api/trainers.ts';
import { trainingPriceEndpoints } from '#contract/api/training-prices.ts';
import { systemEndpoints } from '#contract/api/system.ts';
import { userEndpoints } from '#contract/api/users.ts';
import { venueEndpoints } from '#contract/api/venues.ts';
import { reportEndpoints } from '#contract/reports/reports.ts';

/** The whole REST API. The GraphQL schema is in docs/generated/schema.graphql. */
export const endpoints = [
  ...systemEndpoints,
  ...authEndpoints,
  ...signInEndpoints,
  ...attemptEndpoints,
  ...learningEndpoints,
  ...feedbackEndpoints,
  ...reportsEndpoints,
  ...resultEndpoints,
  ...submissionEndpoints,
  ...bulkEventEndpoints,
  ...userEndpoints,
  ...deviceEndpoints,
  ...careCertificateEndpoints,
  ...careOverviewEndpoints,
  ...historicalCertificateEndpoints,
  ...presetEndpoints,
  ...scheduleEndpoints,
  ...reportEndpoints,
  ...matrixEndpoints,
  ...trainingSessionEndpoints,
  ...sessionDocumentEndpoints,
  ...evaluationEndpoints,
  ...trainingCompanyEndpoints,
  ...trainerEndpoints,
  ...trainingPriceEndpoints,
  ...bookingEndpoints,
  ...managedBookingEndpoints,
  ...venueEndpoints,
  ...marketplaceEndpoints,
  ...trainingOrderEndpoints,
  ...messageEndpoints,
  ...packageEndpoints,
  ...h5pEndpoints,
  ...courseEndpoints,
  ...contentEndpoints,
  ...contentFileEndpoints,
  ...questionFileEndpoints,
  ...courseFileEndpoints,
  ...contentPartEndpoints,
  ...contentPresenceEndpoints,
  ...designedContentEndpoints,
  ...entityEndpoints,
  ...brandingEndpoints,
  ...assignmentEndpoints,
  ...roleEndpoints,
  ...typeEndpoints,
  ...permissionEndpoints,
  ...complianceEndpoints,
  ...complianceReportEndpoints,
  ...forecastEndpoints,
  ...dashboardEndpoints,
  ...authEventEndpoints,
  ...auditEndpoints,
  ...importEndpoints,
  ...jobEndpoints,
  ...inspectionEndpoints,
] as const;

export type AnyEndpoint = (typeof endpoints)[number];
