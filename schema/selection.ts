import {
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** What each object of a field costs by the fields that are asked of it, without their values. */
export interface Asked {
  readonly fields: number;
  /** In JSON: of names, punctuation and `__typename`. */
  readonly bytes: number;
}

/** Of selections without conditions: the same in every execution of their document. */
const askedOfSelection = new WeakMap<SelectionSetNode, Asked>();
/** Keyed by the AST nodes of a field, which graphql collects for each execution, once for all objects of a list. */
const askedOfExecution = new WeakMap<GraphQLResolveInfo['fieldNodes'], Asked>();

/** The braces and the comma of an object. */
const objectBytes = 3;
/** The quotes, the colon and the comma of a field. */
const fieldBytes = 4;
/** The name of a type with its quotes, at most. */
const typeNameBytes = 48;

/** What a document asks of each object of the field that is being resolved. */
export function askedOf(info: GraphQLResolveInfo): Asked {
  const { fieldNodes } = info;
  const alone = fieldNodes.length === 1 ? fieldNodes[0]?.selectionSet : undefined;
  const found = (alone && askedOfSelection.get(alone)) ?? askedOfExecution.get(fieldNodes);
  if (found) return found;
  const { asked, isConditional } = collect(info);
  if (alone && !isConditional) askedOfSelection.set(alone, asked);
  else askedOfExecution.set(fieldNodes, asked);
  return asked;
}

function collect({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): {
  asked: Asked;
  isConditional: boolean;
} {
  let bytes = objectBytes;
  let isConditional = false;
  const keys = new Set<string>();
  const seen = new Set<string>();
  const isAsked = (node: SelectionNode): boolean => {
    if (!node.directives?.length) return true;
    isConditional = true;
    return (
      getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if !== true &&
      getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false
    );
  };
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isAsked(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        if (keys.has(key)) continue;
        keys.add(key);
        bytes += key.length + fieldBytes + (selection.name.value === '__typename' ? typeNameBytes : 0);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment) visit(fragment.selectionSet);
      }
    }
  };
  for (const { selectionSet } of fieldNodes) if (selectionSet) visit(selectionSet);
  return { asked: { fields: keys.size, bytes }, isConditional };
}

/** Whether a document asks for a field of this name anywhere below the field that is being resolved. */
export function asksFor(name: string, { fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const seen = new Set<string>();
  const isIn = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD)
        return selection.name.value === name || (selection.selectionSet !== undefined && isIn(selection.selectionSet));
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIn(selection.selectionSet);
      const fragment = fragments[selection.name.value];
      if (fragment === undefined || seen.has(selection.name.value)) return false;
      seen.add(selection.name.value);
      return isIn(fragment.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && isIn(selectionSet));
}
