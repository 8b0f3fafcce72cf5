/** The subdomain of a host, if it can be an organisation's slug. */
export const subdomainOf = (host: string): string | undefined => {
  const name = host.split(':')[0] ?? '';
  const parts = name.split('.');
  return (parts.length > 2 || (parts.length === 2 && parts[1] === 'localhost')) && !/^\d+$/.test(parts[0] ?? '') ? parts[0] : undefined;
};
