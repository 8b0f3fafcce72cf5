import type { Feature } from '#src/lib/feature.ts';

export const bookingsFeature: Feature = {
  pages: {
    'manage-bookings': () => import('#src/features/bookings/booking-list.page.tsx'),
    'manage-bookings-calendar': () => import('#src/features/bookings/booking-calendar.page.tsx'),
    'manage-bookings-create': () => import('#src/features/bookings/booking-create.page.tsx'),
    'manage-bookings-by-id': () => import('#src/features/bookings/booking.page.tsx'),
  },
  titles: {
    'manage-bookings': 'Bookings',
    'manage-bookings-calendar': 'Booking calendar',
    'manage-bookings-create': 'New booking',
    'manage-bookings-by-id': 'Booking',
  },
  lists: ['manage-bookings'],
};
