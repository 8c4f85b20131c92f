import { describe, expect, it } from 'vitest';
import { createRenderer } from './go-template.ts';
import { merged, renderedChart, type Values } from './rendered-chart.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
type Manifest = any;

const needed = {
  appUrl: 'https://patchbay.example.com',
  existingSecret: 'patchbay',
  agents: { domain: 'agents.example.com' },
  ingress: { host: 'patchbay.example.com' },
};

/** Each switch of the chart, off and on. */
const switches: readonly (readonly [off: Values, on: Values])[] = [
  [{ agents: { enabled: false } }, { agents: { enabled: true } }],
  [{ agents: { createNamespace: false } }, { agents: { createNamespace: true, certIssuer: 'letsencrypt' } }],
  [{ ingress: { enabled: false } }, { ingress: { enabled: true } }],
  [
    { ingress: { tlsSecret: '' } },
    { ingress: { tlsSecret: 'tls', annotations: { 'a.example/b': 'true', c: 'x: y' } } },
  ],
  [{ networkPolicy: { enabled: false } }, { networkPolicy: { enabled: true } }],
  [{ serviceMonitor: { enabled: false } }, { serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } }],
  [
    { settings: {} },
    { settings: { TRUST_PROXY: '10.0.0.0/8', MAIL_FROM: 'A "b" <a@example.com>', LOG_LEVEL: 'info' } },
  ],
  [
    { imagePullSecrets: [], image: { tag: '' } },
    { imagePullSecrets: [{ name: 'pull' }], image: { tag: '1.2' } },
  ],
];

const combinations: Values[][] = switches.reduce<Values[][]>(
  (all, [off, on]) =>
    all.flatMap((values) => [
      [...values, off],
      [...values, on],
    ]),
  [[]],
);

describe('the rendered chart', () => {
  it(`is well-formed with every combination of its switches (${combinations.length})`, () => {
    for (const changes of combinations) {
      const values = changes.reduce(merged, needed);
      const objects: Manifest[] = renderedChart(values);
      const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const object of objects) {
        expect(object).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String) });
        for (const [key, value] of Object.entries(object.metadata.labels ?? {}))
          expect([key, typeof value]).toEqual([key, 'string']);
      }
      const deployments = objects.filter(({ kind }) => kind === 'Deployment');
      expect(deployments).toHaveLength(2);
      for (const { spec } of deployments) {
        expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
        const [container] = spec.template.spec.containers;
        const variables: { name: string; value: unknown }[] = container.env;
        expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length);
        for (const { name, value } of variables) expect([name, typeof value]).toEqual([name, 'string']);
        const volumes = spec.template.spec.volumes.map(({ name }: { name: string }) => name);
        expect(container.volumeMounts.map(({ name }: { name: string }) => name).sort()).toEqual(volumes.sort());
        expect(names).toContain(`ServiceAccount/${spec.template.spec.serviceAccountName}`);
      }
      // Every Service finds pods, and every Ingress a Service.
      for (const { kind, spec } of objects) {
        if (kind === 'Service') {
          const found = deployments.filter(({ spec: { template } }) =>
            Object.entries(spec.selector).every(([key, value]) => template.metadata.labels[key] === value),
          );
          expect(found.length).toBeGreaterThan(0);
        }
        if (kind === 'Ingress') expect(names).toContain(`Service/${spec.rules[0].http.paths[0].backend.service.name}`);
      }
    }
  });

  it('sets what production needs, and passes settings on as they are', () => {
    const settings = { MAIL_FROM: 'A "b" <a@example.com>' };
    const [web] = (renderedChart({ ...needed, settings }) as Manifest[]).filter(({ kind }) => kind === 'Deployment');
    const container = (web as Manifest).spec.template.spec.containers[0];
    const variables = Object.fromEntries(container.env.map(({ name, value }: Manifest) => [name, value]));
    expect(variables).toMatchObject({
      APP_URL: needed.appUrl,
      WORKERS: 'separate',
      ORCHESTRATOR: 'kubernetes',
      AGENT_PLATFORM_URL: 'http://release-1-patchbay.platform.svc:3000',
      AGENT_PLATFORM_NAMESPACE: 'platform',
      MAIL_FROM: settings.MAIL_FROM,
    });
    expect(container.envFrom).toEqual([{ secretRef: { name: 'patchbay' } }]);
    expect(container.image).toBe('patchbay:0.1.0');
  });

  it.each([
    ['appUrl', { ...needed, appUrl: '' }],
    ['existingSecret', { ...needed, existingSecret: '' }],
    ['agents.domain', { ...needed, agents: { domain: '' } }],
    ['ingress.host', { ...needed, ingress: { enabled: true, host: '' } }],
  ])('is not rendered without %s, and says so', (name, values) => {
    expect(() => renderedChart(values)).toThrow(name);
  });
});

describe('the renderer', () => {
  const rendered = (text: string, context: unknown = { Values: { a: 'x', list: [], map: { b: 2, a: 1 } } }) =>
    createRenderer([['file', text]])(context)[0]?.[1];

  it.each([
    ['{{ .Values.a | quote }}', '"x"'],
    ['a\n  {{- .Values.a }}  {{ .Values.a -}}  \nb', 'ax  xb'],
    ['{{ if .Values.list }}yes{{ else }}no{{ end }}', 'no'],
    ['{{ with .Values.map }}{{ .a }}{{ $.Values.a }}{{ end }}', '1x'],
    ['{{ range $k, $v := .Values.map }}{{ $k }}={{ $v }};{{ end }}', 'a=1;b=2;'],
    ['{{ define "t" }}<{{ .Values.a }}>{{ end }}{{ include "t" . | nindent 2 }}', '\n  <x>'],
    ['{{ printf "%s-%s" .Values.a (.Values.a | default "y") }}', 'x-x'],
    ['{{/* {{ nothing }} */}}a', 'a'],
  ])('%s', (text, expected) => {
    expect(rendered(text)).toBe(expected);
  });

  it.each([
    '{{ .Values.none }}',
    '{{ .Values.a.b }}',
    '{{ lookup "v1" }}',
    '{{ if .Values.a }}',
    '{{ end }}',
    '{{ .Values.map }}',
    '{{ include "none" . }}',
    '{{ .Values.a | quote 1 2',
    '{{ .Values.a .Values.a }}',
  ])('refuses %s', (text) => {
    expect(() => rendered(text)).toThrow();
  });
});
