/** Which band a score falls in, by the organisation's lower margins (defaults 85 and 65). */
export const scoreBand = (score: number, margins = { green: 85, amber: 65 }): 'green' | 'amber' | 'red' =>
  score >= margins.green ? 'green' : score >= margins.amber ? 'amber' : 'red';
