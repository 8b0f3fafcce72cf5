/** The columns by which the lists of the API can be sorted. Ours: the specification has no sort order. */
export const sorts = {
  /** `standing`: those with most overdue courses first, then those with most that turn red within 30 days, as the dashboards count it. */
  people: ['name', 'place', 'role', 'started_on', 'standing'],
  audit: ['at', 'actor'],
  imports: ['created_at', 'file_name'],
  h5ps: ['updated_at', 'title'],
  contents: ['updated_at', 'title', 'course'],
  parts: ['updated_at', 'title'],
  bulkEvents: ['created_at', 'completed_on', 'course'],
  sessions: ['date', 'course', 'venue', 'trainer'],
  bookings: ['first_on', 'reference', 'created_at', 'client', 'provider'],
  trainers: ['name', 'place', 'next'],
  entities: ['name'],
  certificates: ['name', 'place', 'assigned_at'],
  courses: ['title'],
  pathways: ['name', 'from'],
  inspections: ['asked_at', 'name'],
  orders: ['created_at', 'provider', 'gross'],
  marketplace: ['title', 'price', 'provider'],
  results: ['recorded_at', 'completed_at', 'expires_at', 'name', 'course'],
} as const satisfies Record<string, readonly string[]>;

/** One of them; a leading minus sorts in descending order. */
export type Sort<K extends string> = K | `-${K}`;
export const sortsOf = <K extends string>(keys: readonly K[]): Sort<K>[] => keys.flatMap((key) => [key, `-${key}`] as const);
/** The sort column and direction. */
export const readSort = <K extends string>(sort: Sort<K>): { by: K; down: boolean } => {
  const down = sort.startsWith('-');
  return { by: (down ? sort.slice(1) : sort) as K, down };
};
