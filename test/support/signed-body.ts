import { type SignableEvent, type SignedBody, signable } from '../../src/webhooks/signature.ts';

/** One attempt of one event, as the product would send it. */
export const signedBody = (event: SignableEvent & { readonly retry_count: number }, secret: string): SignedBody =>
  signable(event)(event.retry_count, secret);
