import { isIP } from 'node:net';
import { z } from 'zod';
import { bytesOf, millicoresOf } from '../input/quantities.ts';
import { agentJsonSettings } from './agent-json-settings.ts';

const dnsLabel = (expected: string) => z.string().regex(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/, { error: expected });

/** The settings of the orchestrator that runs agents, a part of src/platform/config.ts. */
export const agentSettings = {
  KUBECONFIG: z
    .string()
    .optional()
    .describe(
      'A kubeconfig of the cluster that runs agents, or several, joined as kubectl does. Left out: the cluster that the platform itself runs in. `~/.kube/config` is never read.',
    ),
  AGENT_NAMESPACE: dnsLabel('the name of a namespace')
    .default('agents')
    .describe('The namespace of the agents. It must exist, and belong to this installation alone.'),
  AGENT_INSTALLATION: dnsLabel('a name of a-z, 0-9 and hyphens, at most 63 characters')
    .default('patchbay')
    .describe(
      'A label of everything that this installation creates in a cluster, so that two installations in one namespace do not remove each other’s agents.',
    ),
  AGENT_IMAGES: z
    .string()
    .optional()
    .transform((text, context): readonly string[] | null | undefined => {
      if (text === undefined) return undefined;
      if (text === '*') return null;
      const images = text.split(',').map((entry) => entry.trim());
      if (images.every((entry) => imagePrefix.test(entry))) return images;
      context.addIssue(
        '*, or a comma list of repositories or the beginnings of some, without tags, such as ghcr.io/acme',
      );
      return z.NEVER;
    })
    .describe(
      'The container images that agents may have: a comma list of repositories, or beginnings of repositories up to a slash (`ghcr.io/acme`), or `*` for all. Left out: all; in production the default image alone.',
    ),
  AGENT_MAX_CPU: z
    .string()
    .refine((text) => millicoresOf(text) !== null, { error: 'an amount of CPU, such as 500m or 4' })
    .default('4')
    .describe('The highest CPU limit that an agent may have.'),
  AGENT_MAX_MEMORY: z
    .string()
    .refine((text) => bytesOf(text) !== null, { error: 'an amount of memory, such as 512Mi or 8Gi' })
    .default('8Gi')
    .describe('The highest memory limit that an agent may have.'),
  ...agentJsonSettings,
  AGENT_INGRESS_CLASS: dnsLabel('the name of an ingress class')
    .default('nginx')
    .describe('The ingress class of the agents’ host names.'),
  AGENT_INGRESS_NAMESPACE: dnsLabel('the name of a namespace')
    .default('ingress-nginx')
    .describe('The namespace of the ingress controller; agents accept connections from nowhere else.'),
  AGENT_CERT_ISSUER: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, { error: 'the name of a ClusterIssuer of cert-manager' })
    .optional()
    .describe(
      'The ClusterIssuer of cert-manager for the agents’ certificates. Left out: the ingress controller’s default certificate.',
    ),
  AGENT_PLATFORM_NAMESPACE: dnsLabel('the name of a namespace')
    .optional()
    .describe(
      'The namespace of the platform, where agents reach it inside the cluster (AGENT_PLATFORM_URL): their network policy then lets them out to its pods, which have the label `app.kubernetes.io/name: patchbay`, on PORT.',
    ),
  AGENT_EGRESS: z
    .string()
    .optional()
    .transform((text, context): readonly AgentEgress[] => {
      const ranges = (text?.split(',') ?? []).map((entry) => egressOf(entry.trim()));
      if (ranges.every((range) => range !== null)) return ranges;
      context.addIssue('a comma list of CIDR:port ([CIDR]:port for IPv6)');
      return z.NEVER;
    })
    .describe(
      'Addresses that agents may reach in addition to DNS and public addresses on port 443: a comma list of `CIDR:port` (`[CIDR]:port` for IPv6), such as a model server of yours.',
    ),
} as const;

/** A repository or the beginning of one: an optional registry with a port, and components between slashes. */
const imagePrefix = /^[a-z0-9][a-z0-9._-]{0,252}(?::\d{1,5})?(?:\/[a-z0-9][a-z0-9._-]{0,252})*\/?$/;

/** A range of addresses and a port that agents may reach. */
export interface AgentEgress {
  readonly cidr: string;
  readonly port: number;
}

function egressOf(text: string): AgentEgress | null {
  const [, cidr4, cidr6, port] = /^(?:([\d./]{9,18})|\[([\da-f:./]{4,49})\]):(\d{1,5})$/i.exec(text) ?? [];
  const cidr = cidr4 ?? cidr6 ?? '';
  const [address = '', bits = '', ...more] = cidr.split('/');
  const family = isIP(address);
  const isRange = family === (cidr4 ? 4 : 6) && more.length === 0 && /^\d{1,3}$/.test(bits);
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return isRange && Number(bits) <= (family === 4 ? 32 : 128) && isPort ? { cidr, port: Number(port) } : null;
}
