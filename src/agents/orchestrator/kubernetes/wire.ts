/**
 * The parts of the API server's JSON that the driver reads. The types of client-node describe what its own deserializer makes, with
 * dates in place of texts.
 */
export interface WireMetadata {
  readonly name: string;
  readonly uid: string;
  readonly generation?: number;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly WireOwnerReference[];
}

interface WireOwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface WireObject {
  readonly kind?: string;
  readonly metadata: WireMetadata;
}

export interface WireList<Item> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  /** Null where there is none: Go writes an empty list so. */
  readonly items: readonly Item[] | null;
}

export interface WireCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface WireDeployment extends WireObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly conditions?: readonly WireCondition[];
  };
}

interface WireTermination {
  readonly exitCode?: number;
  readonly reason?: string;
}

export interface WireContainerStatus {
  readonly name: string;
  readonly image?: string;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: object;
    readonly terminated?: WireTermination;
  };
  readonly lastState?: { readonly terminated?: WireTermination };
}

export interface WirePod extends WireObject {
  readonly spec: { readonly containers: readonly { readonly image?: string }[] };
  readonly status?: { readonly phase?: string; readonly containerStatuses?: readonly WireContainerStatus[] };
}

/** A Certificate of cert-manager. */
export interface WireCertificate extends WireObject {
  readonly status?: { readonly conditions?: readonly WireCondition[] };
}

export interface WireEvent extends WireObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null;
}
