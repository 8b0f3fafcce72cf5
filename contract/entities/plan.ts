/** The plans that an organisation can sign up for at /register/{plan}. */
export const plans = [
  { id: 'trial', name: 'Trial', sentence: 'Everything for up to ten people, for as long as you need to decide.' },
  { id: 'service', name: 'Service', sentence: 'One care home or branch.' },
  { id: 'group', name: 'Group', sentence: 'Several services under one organisation.' },
] as const;
