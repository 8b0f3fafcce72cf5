import { readOwnBookings } from '#src/device/own-pages.ts';
import { useKeptRead } from '#src/screens/use-kept-read.ts';

/** The user's own bookings; offline those stored on this device. */
export const useOwnBookings = () => useKeptRead('own-bookings', ['own bookings'], readOwnBookings);
