export const deviceDbName = 'lantern-device';
export const personDbPrefix = 'lantern-person-';
export const personDbName = (personId: string) => `${personDbPrefix}${personId}`;
