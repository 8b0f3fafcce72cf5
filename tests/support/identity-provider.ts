import { Events, type MutableToken, OAuth2Server } from 'oauth2-mock-server';

/** Who the provider says that somebody is. */
export type Claims = { sub: string; email?: string; email_verified?: boolean; xms_edov?: boolean };

/** A provider of identities on this machine, as Microsoft and Google are elsewhere: real OpenID Connect, with keys of its own. */
export class IdentityProvider {
  private readonly server = new OAuth2Server();
  /** What its next tokens say. */
  claims: Claims = { sub: 'nobody' };
  get issuer(): string {
    return this.server.issuer.url as string;
  }
  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await provider.server.issuer.keys.generate('RS256');
    await provider.server.start(0, 'localhost');
    // Access and identity tokens alike.
    provider.server.service.on(Events.BeforeTokenSigning, (token: MutableToken) => Object.assign(token.payload, provider.claims));
    return provider;
  }
  /** The settings of a server that is registered here for both. */
  get settings(): Record<string, string> {
    return {
      ...{ GOOGLE_CLIENT_ID: 'google-client', GOOGLE_CLIENT_SECRET: 'google-secret', GOOGLE_ISSUER: this.issuer },
      ...{ MICROSOFT_CLIENT_ID: 'microsoft-client', MICROSOFT_CLIENT_SECRET: 'microsoft-secret', MICROSOFT_ISSUER: this.issuer },
    };
  }
  stop = (): Promise<void> => this.server.stop();
}
