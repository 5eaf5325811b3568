/** Sizes of faults for people. */
const two = (value: number): string => {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3).replace('-', '−');
};

/** `−10.0 ms`, `5.00 %`, `2.00 ×`; a dash without a size. */
export function sizeWords(size: number | null, unit: string | null): string {
  if (size === null || unit === null) return '–';
  if (unit === 'share') return `${two(100 * size)} %`;
  return unit === 'ratio' ? `${two(size)} ×` : `${two(size)} ${unit}`;
}
