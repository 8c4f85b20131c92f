/** What an authorization server knows of an access token that it has issued and that is good now. */
export interface TokenFacts {
  readonly clientId: string;
  readonly account: string;
  readonly scopes: readonly string[];
  /** The `resource` that it was issued for; null for none. */
  readonly resource: string | null;
  readonly expiresAt: Date;
}

/** Tells whose token it is; null for one that is unknown, expired or revoked. */
export type Introspect = (token: string) => Promise<TokenFacts | null>;

/** A request that an authorization server has got. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The form or JSON object of the body; empty where there is none, and until the body was read. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into registrations too, whose members have every shape
  body: Readonly<Record<string, any>>;
  /** Null until it is answered. */
  status: number | null;
}
