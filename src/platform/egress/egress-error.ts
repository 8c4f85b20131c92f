/**
 * The public message of a failed request. A forbidden address, a name that does not resolve and a rejected connection
 * have the same message: otherwise a caller could explore the internal network.
 */
const notReached = 'The receiver could not be reached';

const messages = {
  /** The URL, or an address that its name resolves to, is not public. Nothing was sent. */
  forbidden: notReached,
  /** The name has no address, or no name server answered. */
  unresolved: notReached,
  /** No connection came about: refused, no route. */
  unreachable: notReached,
  /** All connections were taken, by others, until the time was up: nothing was sent, and the receiver is not to blame. */
  busy: 'Too many requests are under way',
  /** The time was up before the last byte of the response. */
  timeout: 'The receiver did not answer in time',
  /** The certificate is not good, or the handshake failed. */
  tls: 'The receiver has no valid TLS certificate, or refused the handshake',
  /** The response is not HTTP/1.1, or its headers are too large. */
  protocol: 'The receiver did not answer with valid HTTP',
  /** The connection ended before the response did. */
  interrupted: 'The receiver closed the connection before its answer was complete',
  /** A streamed response went on beyond `responseBytesMax`. */
  oversized: 'The receiver answered with too much',
  /** A header that the caller gave cannot be sent. */
  header: 'A header is not valid or may not be set',
  /** The caller's signal. */
  aborted: 'The request was given up',
  /** The process is stopping. */
  closed: 'The platform is stopping',
} as const;

/** The closed list of failures of a request. For logs and metrics: it is more specific than the message. */
export type EgressReason = keyof typeof messages;

/**
 * A request that has no response. The message is for everybody, and holds neither address nor port nor state of one; nor do
 * the other members, so that the whole may be logged. It has no cause for the same reason.
 */
export class EgressError extends Error {
  override name = 'EgressError';
  readonly reason: EgressReason;
  /** The status of a response that began but did not end; null where none began. */
  readonly status: number | null;

  constructor(reason: EgressReason, status: number | null = null) {
    super(messages[reason]);
    this.reason = reason;
    this.status = status;
  }
}
