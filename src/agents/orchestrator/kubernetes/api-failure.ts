import { OrchestratorError } from '../orchestrator.ts';
import { publicText } from './public-text.ts';

/** The API server's description of a rejected request. @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
interface StatusBody {
  readonly code?: number;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly kind?: string; readonly causes?: readonly { field?: string; message?: string }[] };
}

/** An unsuccessful response of the API server. Its message is for logs: it may repeat values. */
export class ApiFailure extends Error {
  override name = 'ApiFailure';
  readonly status: number;
  readonly body: StatusBody;

  constructor(status: number, body: StatusBody) {
    super(`the API server answered ${status} ${body.reason ?? ''}`.trimEnd());
    this.status = status;
    this.body = body;
  }

  /** @param text The body, which proxies between may have written. */
  static of(status: number, text: string): ApiFailure {
    try {
      const body: unknown = JSON.parse(text);
      return new ApiFailure(status, body instanceof Object ? body : {});
    } catch {
      return new ApiFailure(status, {});
    }
  }
}

export const isStatus = (error: unknown, ...statuses: number[]): error is ApiFailure =>
  error instanceof ApiFailure && statuses.includes(error.status);

/**
 * Converts any error of a call to one that the owner of an agent may see.
 *
 * @param what The object of the call, such as `Deployment`; left out if there is none.
 * @throws {TypeError} the error itself if it is a bug of this program.
 */
export function orchestratorErrorOf(error: unknown, what?: string): OrchestratorError {
  if (error instanceof OrchestratorError) return error;
  if (error instanceof TypeError || error instanceof RangeError) throw error;
  const subject = what ? `${what}: ` : '';
  const failure = error instanceof ApiFailure ? error : null;
  // A rejected Secret could be repeated in what the server says of it.
  const said = what === 'Secret' ? '' : publicText(failure?.body.message ?? '');
  const as = (kind: OrchestratorError['kind'], message: string) =>
    new OrchestratorError(kind, `${subject}${message}`, { cause: error });
  switch (failure?.status) {
    case undefined:
      return isTimeout(error)
        ? as('unreachable', 'the cluster did not answer in time')
        : as('unreachable', 'the cluster cannot be reached');
    case 401:
      return as('rejected', 'the cluster does not accept the credentials of the platform');
    case 403:
      // The text of a missing right names the platform's own account.
      return /\bcannot [a-z]+ resource\b/.test(said)
        ? as('rejected', 'the platform does not have the rights in the cluster that this needs')
        : as('rejected', said || 'the cluster forbids it');
    case 404:
      return as('rejected', said || 'the namespace does not exist');
    case 409:
      return as('conflict', said || 'another manager owns the object');
    case 400:
    case 413:
    case 422:
      return as('rejected', said || 'the cluster does not accept it');
    default:
      return as('unreachable', `the cluster answered with status ${failure?.status}`);
  }
}

const isTimeout = (error: unknown) =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
