/** A header as Node, express or fetch give it. */
export type SignatureHeader = string | readonly string[] | null | undefined;

/**
 * Whether a delivery comes from who knows the secret. Compares in constant time and never throws: whatever is not a genuine
 * delivery is false.
 *
 * @param secret As it is written, `whsec_` included; during a rotation the new and the old one.
 * @param rawBody The bytes as they came, or their text in UTF-8; not a parsed body.
 * @param header The value of X-Service-Signature, or several, such as that and X-Service-Signature-Previous.
 * @returns True when one of the signatures is the body's under one of the secrets.
 */
export declare function verifyWebhook(
  secret: string | readonly string[],
  rawBody: string | Uint8Array,
  header: SignatureHeader | readonly SignatureHeader[],
): boolean;
