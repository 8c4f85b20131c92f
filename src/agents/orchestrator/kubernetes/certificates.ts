import type { Condition, DeploymentStatus } from '../orchestrator.ts';
import { publicText } from './public-text.ts';
import type { WireCertificate } from './wire.ts';

/** Type of the condition of a deployment that says whether the certificate of its host name has been issued. */
const certificateReady = 'CertificateReady';

/** The certificate of a deployment: as cert-manager keeps it, null where there is none yet, or `unreadable`. */
export type ObservedCertificate = WireCertificate | null | 'unreadable';

/**
 * The condition of a certificate: `CertificateIssued`, `CertificatePending`, `CertificateFailed`, or
 * `CertificateUnreadable` if cert-manager is not installed or the platform may not read its certificates.
 *
 * @see https://cert-manager.io/docs/usage/certificate/, conditions `Ready` and `Issuing`
 */
function certificateCondition(certificate: ObservedCertificate): Condition {
  const condition = (status: Condition['status'], reason: string, message: string): Condition => ({
    type: certificateReady,
    status,
    reason,
    message,
  });
  if (certificate === 'unreadable')
    return condition('Unknown', 'CertificateUnreadable', 'The certificates of cert-manager cannot be read.');
  if (!certificate)
    return condition('False', 'CertificatePending', 'cert-manager has not created the certificate yet.');
  const conditions = certificate.status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  const issuing = conditions.find(({ type }) => type === 'Issuing');
  if (ready?.status === 'True') return condition('True', 'CertificateIssued', publicText(ready.message ?? ''));
  if (issuing?.status === 'False' && issuing.reason === 'Failed')
    return condition('False', 'CertificateFailed', publicText(issuing.message ?? ''));
  const message = issuing?.message || ready?.message || 'cert-manager has not issued the certificate yet.';
  return condition('False', 'CertificatePending', publicText(message));
}

/** A status with the condition of the certificate beside those of the pods. `ready` stays about the pods. */
export const withCertificate = (status: DeploymentStatus, certificate: ObservedCertificate): DeploymentStatus => ({
  ...status,
  conditions: [...status.conditions, certificateCondition(certificate)],
});
