import { managedBookingEndpoints } from '#contract/api/manage-bookings.ts';
import { feature } from '#server/feature.ts';
import { bookingsGraph } from '#server/features/bookings/bookings.graph.ts';
import { bookingHandlers } from '#server/features/bookings/bookings.rest.ts';
import { evaluationSource, noShowsSource, sessionUseSource, upcomingTrainingSource } from '#server/features/bookings/training.report.ts';

export const bookings = feature(managedBookingEndpoints, bookingHandlers, {
  graph: bookingsGraph,
  reports: {
    'training-sessions': sessionUseSource,
    'no-shows': noShowsSource,
    'training-evaluation': evaluationSource,
    'upcoming-training': upcomingTrainingSource,
  },
});
