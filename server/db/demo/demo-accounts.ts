/** The accounts of the demo data. All have the same password, which the README and the console print. */
export const demoPassword = 'Lantern-demo-1';

export const demoAccounts = [
  { email: 'learner@willowbrook.test', name: 'Amara Okafor', who: 'care assistant: takes courses' },
  { email: 'manager@willowbrook.test', name: 'Helen Marsh', who: 'manager of the care home' },
  { email: 'admin@willowbrook.test', name: 'Priya Raman', who: 'administrator of the group' },
  { email: 'trainer@willowbrook.test', name: 'Tomasz Zielinski', who: 'trainer and assessor' },
  { email: 'super@lantern.test', name: 'Sam Whitfield', who: 'super administrator' },
  { email: 'admin@brightpath.test', name: 'Joanna Clarke', who: 'administrator of the training company' },
  { email: 'learner@harbourview.test', name: 'Callum Reid', who: 'learner of another, unrelated organisation' },
] as const;
