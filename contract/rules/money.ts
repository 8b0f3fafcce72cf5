/**
 * Money is whole pence everywhere, so that nothing is lost between a price and the accounts. Only this file formats amounts,
 * parses them and rounds.
 */
const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** 123450 is “£1,234.50”. */
export const moneyWords = (pence: number): string => pounds.format(pence / 100);
/** As in a table for accounts: 123450 is “1234.50”. */
export const plainAmount = (pence: number): string => (pence / 100).toFixed(2);

/** The pence of an amount as people type it (“1,234.50”, “£12”); null if it is not one. */
export const penceOf = (typed: string): number | null => {
  const found = /^£?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(typed.trim());
  if (!found) return null;
  const [, whole = '', part = ''] = found;
  return Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
};

/** A share of an amount in whole pence: half a penny is rounded up. */
const shareOf = (pence: number, percent: number): number => Math.floor((pence * percent + 50) / 100);

export type LinePrice = { price_pence: number; quantity: number; vat_rate: number; platform_share: number };
export type Amounts = { net_pence: number; vat_pence: number; gross_pence: number; platform_pence: number; provider_pence: number };

/**
 * The amounts of one order line. Each line is rounded by itself; one part is rounded and the other is the remainder, so that net and VAT
 * add up to gross, and the shares of platform and provider to net, to the penny.
 */
export const lineAmounts = ({ price_pence, quantity, vat_rate, platform_share }: LinePrice): Amounts => {
  const net_pence = price_pence * quantity;
  const vat_pence = shareOf(net_pence, vat_rate);
  const platform_pence = shareOf(net_pence, platform_share);
  return { net_pence, vat_pence, gross_pence: net_pence + vat_pence, platform_pence, provider_pence: net_pence - platform_pence };
};

/** The totals of lines: the sums of their amounts, never rounded again. */
export const totalOf = (lines: readonly Amounts[]): Amounts =>
  lines.reduce<Amounts>(
    (sum, line) => ({
      net_pence: sum.net_pence + line.net_pence,
      vat_pence: sum.vat_pence + line.vat_pence,
      gross_pence: sum.gross_pence + line.gross_pence,
      platform_pence: sum.platform_pence + line.platform_pence,
      provider_pence: sum.provider_pence + line.provider_pence,
    }),
    { net_pence: 0, vat_pence: 0, gross_pence: 0, platform_pence: 0, provider_pence: 0 },
  );
