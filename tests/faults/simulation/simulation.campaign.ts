import type { Campaign } from '#tests/faults/campaign.ts';
import { World } from '#tests/faults/simulation/world.ts';

/** Two devices, four tabs, eighty things done (courses, quizzes, observations with files, signatures), every fault: the real engine on a model of everything around it. */
export const campaign: Campaign = {
  name: 'simulation',
  runs: { ci: 2000, demand: 100_000 },
  once: async (seed) => new World(seed).run(),
};
