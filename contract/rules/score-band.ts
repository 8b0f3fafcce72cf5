/** The band of a score, by the organisation's margins (defaults 85 and 65). */
export const scoreBand = (score: number, margins = { green: 85, amber: 65 }): 'green' | 'amber' | 'red' =>
  score >= margins.green ? 'green' : score >= margins.amber ? 'amber' : 'red';
