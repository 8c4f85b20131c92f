/** The API group and version of each kind that the driver uses, with its name in paths. */
const kinds = {
  ConfigMap: ['/api/v1', 'configmaps'],
  Secret: ['/api/v1', 'secrets'],
  ServiceAccount: ['/api/v1', 'serviceaccounts'],
  Service: ['/api/v1', 'services'],
  Pod: ['/api/v1', 'pods'],
  Event: ['/api/v1', 'events'],
  Deployment: ['/apis/apps/v1', 'deployments'],
  ReplicaSet: ['/apis/apps/v1', 'replicasets'],
  Ingress: ['/apis/networking.k8s.io/v1', 'ingresses'],
  Certificate: ['/apis/cert-manager.io/v1', 'certificates'],
  NetworkPolicy: ['/apis/networking.k8s.io/v1', 'networkpolicies'],
} as const;

export type Kind = keyof typeof kinds;

/** The path of a kind's objects, or of the one with a name. */
export function pathOf(namespace: string, kind: Kind, name?: string): string {
  const [group, plural] = kinds[kind];
  return `${group}/namespaces/${namespace}/${plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}
