/** The reference of a booking: the prefix of its provider, or `BK-` if it has none, and its number there. */
export const bookingReference = (prefix: string, number: number): string => `${prefix || 'BK-'}${String(number).padStart(5, '0')}`;
