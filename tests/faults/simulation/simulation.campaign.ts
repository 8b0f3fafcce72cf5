import type { Campaign } from '#tests/faults/campaign.ts';
import { World } from '#tests/faults/simulation/world.ts';

/**
 * Two devices, four tabs, eighty actions (courses, quizzes, observations with files, signatures) and every fault: the real engine
 * in a model of its environment.
 */
export const campaign: Campaign = {
  name: 'simulation',
  runs: { ci: 500, demand: 100_000 },
  once: async (seed) => new World(seed).run(),
};
