import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KubernetesObject, loadYaml } from '@kubernetes/client-node';
import { createRenderer } from './go-template.ts';

const chart = fileURLToPath(new URL('../../deploy/helm/patchbay', import.meta.url));
export const chartText = (...names: string[]): string => readFileSync(path.join(chart, ...names), 'utf8');
export const templates = readdirSync(path.join(chart, 'templates')).map(
  (name) => [name, chartText('templates', name)] as const,
);

export interface Values {
  readonly [name: string]: string | number | boolean | readonly Values[] | Values;
}

const render = createRenderer(templates);
const defaults = (): Values => loadYaml(chartText('values.yaml')) as Values;

/** Maps are merged, as Helm does; everything else is replaced. */
export function merged(values: Values, changes: Values): Values {
  const result: Record<string, Values[string]> = { ...values };
  for (const [name, value] of Object.entries(changes)) {
    const before = result[name];
    result[name] = isMap(value) && isMap(before) ? merged(before, value) : value;
  }
  return result;
}

const isMap = (value: unknown): value is Values => value instanceof Object && !Array.isArray(value);

/**
 * The documents of a YAML text as they are. Client-node makes an object of its types from each document that says its kind: it renames fields,
 * and drops those that it does not know. It does not where the kind stands deeper.
 */
export const documentsOf = (text: string): KubernetesObject[] =>
  text
    .split(/^---$/m)
    .map((document) => `document:\n${document.replace(/^(?=.)/gm, '  ')}`)
    .map((document) => loadYaml<{ document: KubernetesObject | null }>(document).document)
    .filter((object) => object !== null);

/** The objects that `helm install release-1 --namespace platform` would make. @throws {Error} for a required value that is missing. */
export function renderedChart(changes: Values, namespace = 'platform'): KubernetesObject[] {
  const { name, version, appVersion } = loadYaml(chartText('Chart.yaml')) as Record<string, string>;
  const texts = render({
    Values: merged(defaults(), changes),
    Release: { Name: 'release-1', Namespace: namespace, Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  });
  return texts.filter(([file]) => file.endsWith('.yaml')).flatMap(([, text]) => documentsOf(text));
}
