/** One line of a benchmark: `name value unit ratio baseline`. A ratio of numbers taken in one run, never a time alone. */
export const report = (name: string, value: number, unit: string, ratio: number | null, baseline: string) => {
  console.log(
    [
      name.padEnd(44),
      value.toFixed(value < 10 ? 2 : 1).padStart(9),
      unit.padEnd(6),
      ratio === null ? '     –' : ratio.toFixed(2).padStart(6),
      baseline,
    ].join(' '),
  );
};
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] as number;
};
export const median = (values: readonly number[]): number => quantile(values, 0.5);
