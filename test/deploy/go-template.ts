import { dumpYaml } from '@kubernetes/client-node';

/**
 * Renders the part of Go's templates that the chart uses, as Helm does: `if`, `with`, `range` over a map, `define` and `include`, pipelines,
 * whitespace trimming, and a few functions. Everything else, and a value that does not exist, is an error and never rendered as nothing.
 *
 * @see https://pkg.go.dev/text/template, https://helm.sh/docs/chart_template_guide/function_list
 */
export function createRenderer(files: readonly (readonly [name: string, text: string])[]) {
  const defined = new Map<string, Block>();
  const parsed = files.map(([name, text]) => [name, parse(text, defined)] as const);
  const include = (name: unknown, dot: unknown): string => {
    const block = defined.get(String(name));
    if (!block) throw new Error(`no template ${name}`);
    return render(block, { dot, variables: new Map([['$', dot]]), include });
  };
  /** @returns The text of each file. @throws {Error} also for a required value that is missing. */
  return (context: unknown): [name: string, text: string][] =>
    parsed.map(([name, block]) => [
      name,
      render(block, { dot: context, variables: new Map([['$', context]]), include }),
    ]);
}

type Block = Node[];
type Node =
  | string
  | { readonly kind: 'action'; readonly pipeline: string }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: string;
      readonly body: Block;
      readonly otherwise: Block;
    };

interface Scope {
  readonly dot: unknown;
  readonly variables: ReadonlyMap<string, unknown>;
  include(name: unknown, dot: unknown): string;
}

function parse(text: string, defined: Map<string, Block>): Block {
  const pieces = text.split(/(\{\{-?\s*(?:\/\*[\s\S]*?\*\/|(?:"(?:\\.|[^"\\])*"|[^"}])*?)\s*-?\}\})/);
  const root: Block = [];
  const open: { readonly end: () => void; block: Block; otherwise?: Block }[] = [];
  const current = () => open.at(-1)?.block ?? root;
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) {
      if (/\{\{|\}\}/.test(piece)) throw new Error(`cannot read ${piece}`);
      let trimmed = pieces[index - 1]?.endsWith('-}}') ? piece.trimStart() : piece;
      if (pieces[index + 1]?.startsWith('{{-')) trimmed = trimmed.trimEnd();
      current().push(trimmed);
      continue;
    }
    const [word = '', rest = ''] = words(piece);
    if (word === 'comment') continue;
    if (word === 'end') {
      const closed = open.pop();
      if (!closed) throw new Error('an end without a beginning');
      closed.end();
    } else if (word === 'else') {
      const last = open.at(-1);
      if (!last?.otherwise || rest !== '') throw new Error('an else without an if');
      last.block = last.otherwise;
    } else if (word === 'define') {
      const name: string = JSON.parse(rest);
      const block: Block = [];
      open.push({ block, end: () => void defined.set(name, block) });
    } else if (word === 'if' || word === 'with' || word === 'range') {
      const [body, otherwise]: [Block, Block] = [[], []];
      current().push({ kind: word, pipeline: rest, body, otherwise });
      open.push({ block: body, otherwise, end: () => undefined });
    } else current().push({ kind: 'action', pipeline: `${word} ${rest}`.trim() });
  }
  if (open.length > 0) throw new Error('a block without an end');
  return root;
}

/** The first word of an action, and the rest. */
function words(action: string): [string, string] {
  const inner = action
    .replace(/^\{\{-?/, '')
    .replace(/-?\}\}$/, '')
    .trim();
  if (inner.startsWith('/*')) return ['comment', ''];
  const [, word = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(inner) ?? [];
  return [word, rest];
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (value instanceof Object && Object.keys(value).length === 0);

function render(block: Block, scope: Scope): string {
  return block.map((node) => (typeof node === 'string' ? node : renderNode(node, scope))).join('');
}

function renderNode(node: Exclude<Node, string>, scope: Scope): string {
  if (node.kind === 'action') return printed(evaluate(node.pipeline, scope));
  if (node.kind === 'range') {
    const [, key = '', item = '', pipeline = ''] = /^(\$\w+), (\$\w+) := (.+)$/.exec(node.pipeline) ?? [];
    const map = evaluate(pipeline, scope);
    if (!(map instanceof Object) || Array.isArray(map)) throw new Error(`range ${node.pipeline}: not a map`);
    const entries = Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return entries
      .map(([name, value]) =>
        render(node.body, {
          ...scope,
          dot: value,
          variables: new Map([...scope.variables, [key, name], [item, value]]),
        }),
      )
      .join('');
  }
  const value = evaluate(node.pipeline, scope);
  if (isEmpty(value)) return render(node.otherwise, scope);
  return render(node.body, node.kind === 'with' ? { ...scope, dot: value } : scope);
}

function printed(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`cannot print ${JSON.stringify(value)}`);
}

const functions: Readonly<Record<string, (scope: Scope, ...args: unknown[]) => unknown>> = {
  include: ({ include }, name, dot) => include(name, dot),
  nindent: (_scope, spaces, text) => `\n${printed(text)}`.replaceAll('\n', `\n${' '.repeat(Number(spaces))}`),
  quote: (_scope, value) => JSON.stringify(printed(value)),
  default: (_scope, otherwise, value) => (isEmpty(value) ? otherwise : value),
  toYaml: (_scope, value) => dumpYaml(value).trimEnd(),
  printf: (_scope, format, ...values) => printed(format).replace(/%s/g, () => printed(values.shift())),
  required(_scope, message, value) {
    if (isEmpty(value)) throw new Error(printed(message));
    return value;
  },
};

function evaluate(pipeline: string, scope: Scope): unknown {
  const tokens = pipeline.match(/"(?:\\.|[^"\\])*"|[()|]|[^\s()|]+/g) ?? [];
  let at = 0;
  const ofPipeline = (): unknown => {
    let value = ofCommand();
    while (tokens[at] === '|') {
      at += 1;
      value = ofCommand(value);
    }
    return value;
  };
  const ofCommand = (...piped: unknown[]): unknown => {
    const first = tokens[at] ?? '';
    const called = functions[first];
    const args: unknown[] = [];
    if (called) at += 1;
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') args.push(ofTerm());
    if (called) return called(scope, ...args, ...piped);
    if (args.length !== 1 || piped.length > 0) throw new Error(`${pipeline}: ${first} is no function`);
    return args[0];
  };
  const ofTerm = (): unknown => {
    const token = tokens[at++] ?? '';
    if (token === '(') {
      const value = ofPipeline();
      if (tokens[at++] !== ')') throw new Error(`${pipeline}: a bracket is open`);
      return value;
    }
    if (token.startsWith('"')) return JSON.parse(token);
    if (/^\d+$/.test(token)) return Number(token);
    const [, variable = '', path = ''] = /^(\$\w*)?((?:\.\w+)*|\.)$/.exec(token) ?? [];
    if (token === '' || (variable === '' && path === '')) throw new Error(`${pipeline}: cannot read ${token}`);
    let value = variable === '' ? scope.dot : scope.variables.get(variable);
    for (const name of path.split('.').filter(Boolean))
      value = value instanceof Object ? (value as Record<string, unknown>)[name] : undefined;
    if (value === undefined) throw new Error(`${pipeline}: ${token} does not exist`);
    return value;
  };
  const value = ofPipeline();
  if (at < tokens.length) throw new Error(`${pipeline}: ${tokens[at]} is left`);
  return value;
}
