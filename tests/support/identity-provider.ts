import { Events, type MutableToken, OAuth2Server } from 'oauth2-mock-server';

/** The claims in a provider's tokens. */
export type Claims = { sub: string; email?: string; email_verified?: boolean; xms_edov?: boolean };

/** A local OpenID Connect provider with its own keys, in place of Microsoft and Google. */
export class IdentityProvider {
  private readonly server = new OAuth2Server();
  /** The claims of its next tokens. */
  claims: Claims = { sub: 'nobody' };
  get issuer(): string {
    return this.server.issuer.url as string;
  }
  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await provider.server.issuer.keys.generate('RS256');
    await provider.server.start(0, 'localhost');
    // Applies to access and ID tokens.
    provider.server.service.on(Events.BeforeTokenSigning, (token: MutableToken) => Object.assign(token.payload, provider.claims));
    return provider;
  }
  /** Settings of a server registered here for both providers. */
  get settings(): Record<string, string> {
    return {
      ...{ GOOGLE_CLIENT_ID: 'google-client', GOOGLE_CLIENT_SECRET: 'google-secret', GOOGLE_ISSUER: this.issuer },
      ...{ MICROSOFT_CLIENT_ID: 'microsoft-client', MICROSOFT_CLIENT_SECRET: 'microsoft-secret', MICROSOFT_ISSUER: this.issuer },
    };
  }
  stop = (): Promise<void> => this.server.stop();
}
